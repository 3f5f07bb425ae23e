// Flows of the shop by keyboard alone, with JavaScript on and off.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { png } from '../files/world.mjs';
import { totp } from '../lib/oathtool.mjs';
import { modes, openAs } from './keys.mjs';
import { end, worldsOf } from './samples.mjs';

let worlds = {}, shop;
before(async () => {
  worlds = await worldsOf(['shop']);
  ({ shop } = worlds);
});
after(() => end(worlds));
const order = /\/order\/[0-9a-f-]{36}/, line = /\/order_line\/[0-9a-f-]{36}/, product = /\/product\/[0-9a-f-]{36}/;

for (const [script, how] of modes) {
  const open = (who, path) => openAs(shop, who, path, script);
  const name = (word) => `${word}-${script ? 'with' : 'without'}`;
  const goto = (keys, path) => keys.page.goto(shop.browser.origin + path);

  test(`a customer makes an account, orders and cancels, ${how}`, async () => {
    const keys = await open('guest', '/');
    await keys.go('Skip to content', keys.at(/#content$/));
    await goto(keys, '/');
    await keys.go('Sign up', keys.at(/\/sign-up/));
    await keys.type('E-mail', `${name('eve')}@example.test`);
    await keys.type('Password', 'a long password');
    await keys.go('Create account', keys.shows('You are signed in.'));
    await keys.go('Orders', keys.at(/\/order$/), 'a');
    await keys.go('New order', keys.at(/\/order\/new/));
    await keys.type('Note', 'By hand');
    await keys.go('Create order', keys.at(order));
    await keys.go('Place', keys.shows('Add at least one product first.'));
    await keys.go('New order line', keys.at(/\/order_line\/new/));
    await keys.choose('Product', 'Green');
    await keys.type('Quantity', '3');
    await keys.go('Create order line', keys.at(line));
    await goto(keys, '/order');
    await keys.go('SO-', keys.at(order));
    await keys.go('Place', keys.state('Placed'));
    await keys.go('Cancel', keys.state('Cancelled'), 'button');
  });

  test(`a customer changes a draft and its line, and deletes both, ${how}`, async () => {
    const keys = await open('customer', `/order/${await shop.order('To be changed')}`);
    const draft = keys.page.url();
    await keys.go('Edit', keys.at(/\/edit$/));
    await keys.type('Note', 'Ring twice');
    await keys.go('Save changes', keys.shows('Ring twice'));
    await keys.go('Green tea', keys.at(line), 'a');
    await keys.go('Edit', keys.at(/\/edit$/));
    await keys.type('Quantity', '5');
    await keys.go('Save changes', keys.shows('Your changes are saved.'));
    await keys.go('Delete', keys.shows('This cannot be undone.'), 'a');
    await keys.go('Keep it', keys.at(/order_line\/[0-9a-f-]{36}[^=]*$/));
    await keys.go('Delete', keys.shows('This cannot be undone.'), 'a');
    await keys.go('Delete', keys.shows('Deleted.'), 'button');
    await keys.page.goto(draft);
    await keys.go('Delete', keys.shows('This cannot be undone.'), 'a');
    await keys.go('Delete', keys.at(/\/order\?done=deleted/), 'button');
  });

  test(`a customer pays without a card; a clerk takes the money and ships, ${how}`, async () => {
    const path = `/order/${await shop.order('', true)}`;
    const keys = await open('customer', path);
    await keys.go('Confirm', keys.shows('Your order is noted.'));
    const clerk = await open('clerk', path);
    await clerk.go('The money has arrived', clerk.shows('The payment is recorded.'));
    await clerk.go('Ship', clerk.state('Shipped'), 'button');
    await goto(keys, path);
    await keys.shows('This was paid without a card.')();
  });

  test(`a manager searches, filters, sorts, changes and deletes a product, ${how}`, async () => {
    const keys = await open('manager', '/product/new');
    await keys.type('Sku', script ? 'KEY-1' : 'KEY-2');
    await keys.type('Title', 'Keyboard tea');
    await keys.file('Picture', { name: 'tea.png', mimeType: 'image/png', buffer: png(500) });
    await keys.type('Price', '3,50');
    await keys.go('Create product', keys.shows('Write an amount'));
    await keys.shows('tea.png')();
    await keys.type('Price', '3.50');
    await keys.go('Create product', keys.at(product));
    assert.equal(await keys.page.getByRole('img', { name: 'tea.png' }).count(), 1);
    await keys.go('Edit', keys.at(/\/edit$/));
    await keys.type('Title', 'Keyboard chai');
    await keys.go('Save changes', keys.shows('Your changes are saved.'));
    await goto(keys, '/product');
    await keys.type('Search', 'chai');
    await keys.press('Enter');
    await keys.page.waitForURL(/q=chai/);
    await keys.choose('Active', 'Yes');
    await keys.go('Show', keys.at(/f\.active=true/));
    await keys.go('Price', keys.at(/sort=price/), 'a');
    await keys.go('Keyboard chai', keys.at(product), 'a');
    await keys.go('Delete', keys.shows('The row will be hidden. It can be restored.'), 'a');
    await keys.go('Delete', keys.shows('Deleted.'), 'button');
    await keys.go('Title', keys.at(/sort=/), 'a');
  });

  test(`somebody gets a second factor, signs out and in with it, ${how}`, async () => {
    const keys = await open('guest', '/sign-up');
    await keys.type('E-mail', `${name('fay')}@example.test`);
    await keys.type('Password', 'a long password');
    await keys.go('Create account', keys.shows('You are signed in.'));
    await keys.go(`${name('fay')}@`, keys.at(/\/account$/), 'a');
    await keys.go('Set up', keys.shows('Scan this'));
    const secret = await keys.page.locator('code').first().textContent();
    await keys.type('Code of your app', totp(secret));
    await keys.go('Turn on', keys.shows('Keep these backup codes'));
    const backup = await keys.page.locator('.codes li').first().textContent();
    await keys.go('Sign out', keys.shows('You are signed out.'), 'button');
    await keys.go('Sign in', keys.at(/\/sign-in/), 'a');
    await keys.type('E-mail', `${name('fay')}@example.test`);
    await keys.type('Password', 'a long password');
    await keys.go('Sign in', keys.shows('One more step'), 'button');
    await keys.type('Code', backup);
    await keys.go('Continue', keys.shows('You are signed in.'));
  });
}
