// The whole way through the shop in a browser, by keyboard alone, with JavaScript on and off: a manager gives the tea a picture,
// a guest sees it on the shelf, a customer asks the assistant, orders, and pays with a test card.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Provider as Models } from '../ai/provider.mjs';
import { png } from '../files/world.mjs';
import { Provider as Cards, secretKey, webhookSecret } from '../pay/provider.mjs';
import { modes, openAs } from './keys.mjs';
import { Shop } from './samples.mjs';
import { Visitor } from './world.mjs';

let cards, models, shop;
before(async () => {
  [cards, models] = await Promise.all([Cards.start(), Models.start()]);
  // Its card page is at the host that the secrets name.
  cards.after = async (_call, made) => (made.body.url ? { ...made, body: { ...made.body, url: `${cards.url}/c/${made.body.id}` } } : made);
  shop = await Shop.start('shop', { CARD_API_BASE: cards.url, CARD_SECRET_KEY: secretKey, CARD_WEBHOOK_SECRET: webhookSecret, AI_BASE_URL: models.url, AI_API_KEY: 'sk-of-ours' });
});
after(async () => {
  await shop?.stop();
  await cards?.stop();
  await models?.stop();
});

for (const [script, how] of modes) {
  const open = (who, path) => openAs(shop, who, path, script);

  test(`the tea gets a picture, and a guest sees it on the shelf, ${how}`, async () => {
    const bytes = png(script ? 1500 : 1600), name = script ? 'tea.png' : 'other.png';
    const manager = await open('manager', `/product/${shop.tea}/edit`);
    await manager.file('Picture', { name, mimeType: 'image/png', buffer: bytes });
    await manager.go('Save changes', manager.shows(name));
    const guest = await open('guest', '/');
    await guest.go('Shelf', guest.at(/\/shelf$/), 'a');
    const card = guest.page.locator('.card').filter({ hasText: 'Green tea' });
    const shown = await new Visitor(shop.stack, shop.host).ask('GET', await card.locator('img').getAttribute('src'));
    assert.ok(shown.bytes.equals(bytes));
    assert.match(await card.textContent(), /€6\.50/);
    await guest.go('Green tea', guest.at(/\/product\/[0-9a-f-]{36}$/), 'a');
    await guest.page.goto(`${shop.browser.origin}/assistant`);
    await guest.page.waitForURL(/\/sign-in\?next=/);
    assert.deepEqual([...manager.page.complaints, ...guest.page.complaints], []);
  });

  test(`a customer asks the assistant, ${how}`, async () => {
    models.words = ['There is ', 'green tea.'];
    const ann = await open('customer', '/');
    await ann.go('Assistant', ann.at(/\/assistant$/), 'a');
    await ann.shows('What are you looking for?')();
    await ann.type('Your message', 'Is there tea?');
    await ann.go('Send', ann.shows('There is green tea.'));
    const { messages } = models.last().body;
    assert.match(messages[0].content, /corner shop/);
    assert.equal(messages.at(-1).content, 'Is there tea?');
    assert.deepEqual(ann.page.complaints, []);
  });

  test(`a customer orders, and pays with a test card, ${how}`, async () => {
    const ann = await open('customer', '/order/new');
    await ann.type('Note', 'By card');
    await ann.go('Create order', ann.at(/\/order\/[0-9a-f-]{36}/));
    const order = ann.page.url().replace(/\?.*/, '');
    await ann.go('New order line', ann.at(/\/order_line\/new/));
    await ann.choose('Product', 'Green');
    await ann.type('Quantity', '2');
    await ann.go('Create order line', ann.at(/\/order_line\/[0-9a-f-]{36}/));
    await ann.page.goto(order);
    await ann.go('Place', ann.state('Placed'));
    await ann.go('Pay €13.00 by card', ann.at((url) => url.href.startsWith(`${cards.url}/c/`)));
    const session = cards.sessions.get(cards.idOf(ann.page.url()));
    assert.equal(session.amount_total, 1300);
    cards.pay(session.id);
    await ann.page.goto(session.success_url);
    await ann.shows('Paid. Thank you.')();
    await ann.shows('This was paid by card.')();
  });
}
