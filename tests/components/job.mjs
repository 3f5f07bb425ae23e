// Jobs with which tests call the gates.
import assert from 'node:assert/strict';

// An app with one table, and these components; `pages` shows them.
export const contractOf = (components, pages = []) => ({
  app: { name: 'Shown' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{
    name: 'thing', owner: 'none', fields: [{ name: 'title', type: 'string', required: true }, { name: 'price', type: 'number' }],
    access: { read: '*', create: 'member' },
  }],
  pages, components,
});

export const page = (component, props = {}, more = {}) =>
  ({ route: `/${component.toLowerCase()}`, title: component, to: '*', body: [{ component: { name: component, props } }], ...more });

// [line, column, words] of each finding about a component, in any order.
export function places(findings) {
  return findings.map(({ message }) => /^([A-Z]\w*\.tsx):(\d+):(\d+): (.*)$/s.exec(message)?.slice(1) ?? ['', '0', '0', message])
    .map(([file, line, column, words]) => ({ file, at: [Number(line), Number(column)], words }));
}

export function hasFinding(report, code, pattern) {
  const found = report.errors.filter((one) => one.code === code && pattern.test(one.message));
  assert.ok(found.length > 0, `${code} ${pattern}: ${JSON.stringify(report)}`);
  return found[0];
}
