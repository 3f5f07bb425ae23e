// Every page of the clinic, as everybody sees it (axe.mjs).
import { everyPage } from './axe.mjs';

everyPage('clinic', ['guest', 'practitioner', 'receptionist', 'manager']);
