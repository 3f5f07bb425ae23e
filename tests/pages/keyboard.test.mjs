// Flows of the shop and the clinic by keyboard alone, with JavaScript on and off: everything is reached with Tab, what has the
// focus is seen, and nothing needs a pointer.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { end, worldsOf } from './samples.mjs';

let worlds = {};
before(async () => { worlds = await worldsOf(['shop', 'clinic']); });
after(() => end(worlds));

// What has the focus, as a screen reader calls it, and whether one sees that it has.
const focused = (page) => page.evaluate(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const style = getComputedStyle(one), around = one.closest('tr, li, .metric');
  const ring = (of) => parseFloat(of.outlineWidth) > 0 && of.outlineStyle !== 'none';
  const box = one.getBoundingClientRect();
  return {
    name: (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim().replace(/\s+/g, ' '), tag: one.localName,
    seen: box.width > 0 && box.height > 0 && (ring(style) || style.boxShadow !== 'none' || (around && ring(getComputedStyle(around))) || ring(getComputedStyle(one, '::after'))),
  };
});

class Keys {
  constructor(page) { this.page = page; }
  press(...keys) { return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve()); }

  // Goes on with Tab to what is called so.
  async to(name, tag) {
    const passed = [];
    for (let i = 0; i < 120; ++i) {
      await this.press('Tab');
      const now = await focused(this.page);
      if (!now) continue;
      assert.ok(now.seen, `one sees that "${now.name}" has the focus, at ${this.page.url()}`);
      if (now.name.startsWith(name) && (!tag || now.tag === tag)) return;
      passed.push(now.name);
    }
    assert.fail(`no "${name}" at ${this.page.url()}: ${passed.slice(0, 40).join(' | ')}`);
  }
  async type(name, text) {
    await this.to(name);
    await this.press('Control+A');
    await this.page.keyboard.type(text);
  }
  // Chooses in a select by the beginning of what stands there.
  async choose(name, text) {
    await this.to(name, 'select');
    await this.page.keyboard.type(text);
  }
  async go(name, wait, tag) {
    await this.to(name, tag);
    await this.press('Enter');
    await wait.call(this);
  }
  at(path) { return () => this.page.waitForURL(path); }
  shows(words) { return () => this.page.getByText(words).first().waitFor(); }
}

for (const script of [true, false]) {
  const how = script ? 'with JavaScript' : 'without JavaScript';
  const open = async (name, who, path) => {
    const { browser, people } = worlds[name];
    return new Keys(await browser.open(await browser.as(people[who], { script }), path));
  };

  test(`a customer makes an account, orders and cancels, ${how}`, async () => {
    const keys = await open('shop', 'guest', '/');
    await keys.go('Skip to content', keys.at(/#content$/));
    await keys.page.goto(worlds.shop.browser.origin);
    await keys.go('Sign up', keys.at(/\/sign-up/));
    await keys.type('E-mail', `${script ? 'eve' : 'eva'}@example.test`);
    await keys.type('Password', 'a long password');
    await keys.go('Create account', keys.shows('You are signed in.'));
    await keys.go('Orders', keys.at(/\/order$/), 'a');
    await keys.go('New order', keys.at(/\/order\/new/));
    await keys.type('Note', 'By hand');
    await keys.go('Create order', keys.at(/\/order\/[0-9a-f-]{36}/));
    await keys.go('Place', keys.shows('Add at least one product first.'));
    await keys.go('New order line', keys.at(/\/order_line\/new/));
    await keys.choose('Product', 'Green');
    await keys.type('Quantity', '3');
    await keys.go('Create order line', keys.at(/\/order_line\/[0-9a-f-]{36}/));
    await keys.page.goto(`${worlds.shop.browser.origin}/order`);
    await keys.go('SO-', keys.at(/\/order\/[0-9a-f-]{36}/));
    await keys.go('Place', keys.shows('Placed'));
    await keys.go('Cancel', keys.shows('Cancelled'), 'button');
  });

  test(`a manager searches, sorts, changes and deletes a product, ${how}`, async () => {
    const keys = await open('shop', 'manager', '/product/new');
    await keys.type('Sku', script ? 'KEY-1' : 'KEY-2');
    await keys.type('Title', 'Keyboard tea');
    await keys.type('Price', '3.50');
    await keys.go('Create product', keys.at(/\/product\/[0-9a-f-]{36}/));
    await keys.go('Edit', keys.at(/\/edit$/));
    await keys.type('Title', 'Keyboard chai');
    await keys.go('Save changes', keys.shows('Your changes are saved.'));
    await keys.go('Delete', keys.shows('The row will be hidden. It can be restored.'), 'a');
    await keys.go('Delete', keys.shows('Deleted.'), 'button');
    await keys.go('Title', keys.at(/sort=/), 'a');
  });

  test(`a receptionist confirms an appointment and writes an invoice, ${how}`, async () => {
    const keys = await open('clinic', 'receptionist', '/invoice/new');
    await keys.choose('Patient', 'A name');
    await keys.go('Create invoice', keys.at(/\/invoice\/[0-9a-f-]{36}/));
    await keys.go('New invoice line', keys.at(/\/invoice_line\/new/));
    await keys.choose('Treatment', 'Check');
    await keys.type('Price', '45');
    await keys.go('Create invoice line', keys.at(/\/invoice_line\/[0-9a-f-]{36}/));
    await keys.page.goto(`${worlds.clinic.browser.origin}/appointment/${worlds.clinic.appointment}`);
    if (script) await keys.go('Confirm', keys.shows('Done.'));
    else await keys.go('Edit', keys.at(/\/edit$/));
  });
}
