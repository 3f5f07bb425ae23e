// Every page of the shop, as everybody sees it (axe.mjs).
import { everyPage } from './axe.mjs';

everyPage('shop', ['guest', 'customer', 'clerk', 'manager']);
