// Somebody at a browser with a keyboard alone: everything is reached with Tab, and what has the focus is seen.
import assert from 'node:assert/strict';

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

export class Keys {
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
  // A date, or a moment: the parts of its input, in the order of the browser's language (day first), one key a digit.
  async moment(name, date, time) {
    await this.to(name, 'input');
    await this.page.keyboard.type(date);
    if (!time) return;
    await this.press('Tab');
    await this.page.keyboard.type(time);
    await this.press('a');  // before noon, where the browser's clock has twelve hours
  }
  // Chooses a file in the dialog that the key opens. The browser is asked to hand dialogs over before the way to the field
  // begins: on a busy machine a key can overtake that question, and the dialog is then nobody's.
  async file(name, file) {
    const opened = this.page.waitForEvent('filechooser');
    opened.catch(() => {});  // a field that is not found is told first
    await this.to(name, 'input');
    await this.press('Space');
    await (await opened).setFiles(file);
  }
  async go(name, wait, tag) {
    await this.to(name, tag);
    await this.press('Enter');
    await wait.call(this);
  }
  at(path) { return () => this.page.waitForURL(path); }
  shows(words) { return () => this.page.getByText(words).first().waitFor(); }
  state(words) { return () => this.page.locator('.fields-shown .badge').getByText(words, { exact: true }).waitFor(); }
}

export const modes = [[true, 'with JavaScript'], [false, 'without JavaScript']];

// Opens a page of a sample (samples.mjs) as one of its people.
export async function openAs(world, who, path, script) {
  return new Keys(await world.browser.open(await world.browser.as(world.people[who], { script }), path));
}
