// An OpenAPI 3.1 document in the hands of an independent validator: which operation a call is, and whether
// an answer is as documented.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages } from './npm.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../openapi');
export const requirePackage = packages(folder);
const Ajv = requirePackage('ajv/dist/2020.js').default;
const addFormats = requirePackage('ajv-formats').default;

const methods = ['get', 'head', 'post', 'patch', 'delete'];

// Rows as documented and nothing else: the document itself lets later columns pass.
function closed(document) {
  const copy = structuredClone(document);
  const tables = Object.keys(document.components.schemas).filter((name) => `${name}.rows` in document.components.schemas);
  for (const name of tables.flatMap((table) => [table, `${table}.part`, `${table}.rows`])) copy.components.schemas[name].additionalProperties = false;
  return copy;
}

export class Document {
  constructor(document) {
    this.document = document;
    this.ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(this.ajv);
    this.ajv.addFormat('time-local', /^\d\d:\d\d:\d\d(\.\d+)?$/);
    this.ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
    this.ajv.addFormat('double', { type: 'number', validate: () => true });
    this.ajv.addSchema(closed(document), 'document');
    this.paths = Object.entries(document.paths).map(([path, item]) => ({
      path, item, expression: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    })).sort((a, b) => a.path.split('{').length - b.path.split('{').length);  // what is concrete first
  }

  // {path, operation} of `GET`, `/api/v1/product/…`; undefined where the document has none.
  operation(method, target) {
    const path = decodeURIComponent(target.split('?')[0]);
    const found = this.paths.find(({ expression }) => expression.test(path));
    const operation = found?.item[method.toLowerCase()];
    return operation && { path: found.path, operation };
  }

  operations() {
    return this.paths.flatMap(({ path, item }) => methods.filter((method) => item[method]).map((method) => ({ method, path, operation: item[method] })));
  }

  resolve(value) {
    if (value?.$ref === undefined) return value;
    return value.$ref.slice(2).split('/').reduce((at, key) => at[key], this.document);
  }

  // The fault of `value`, or null.
  mistake(schema, value) {
    const local = JSON.parse(JSON.stringify(schema), (key, v) => (key === '$ref' ? `document${v}` : v));
    const validate = this.ajv.compile(local);
    return validate(value) ? null : JSON.stringify(validate.errors.slice(0, 4));
  }

  // Whether an answer is what its operation may answer; null if it is.
  answerMistake(operation, { status, json }) {
    const response = this.resolve(operation.responses[status]);
    if (!response) return `${status} is not documented`;
    return response.content?.['application/json'] ? this.mistake(response.content['application/json'].schema, json) : null;
  }
}
