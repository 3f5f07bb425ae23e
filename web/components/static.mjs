// What a component may not say: code from text, HTML from text, and ways to either. A page's policy
// (Content-Security-Policy, Trusted Types) stops them in the browser; here their author hears of it.
import ts from 'typescript';
import { constantsOf, strings } from './fold.mjs';

const kNames = new Map([
  ['dangerouslySetInnerHTML', 'HTML from text is not allowed. Write elements instead.'],
  ...['innerHTML', 'outerHTML', 'srcdoc', 'srcDoc', 'insertAdjacentHTML', 'setHTMLUnsafe', 'parseHTMLUnsafe', 'createContextualFragment']
    .map((name) => [name, 'HTML from text is not allowed. Write elements instead.']),
  ['createPolicy', 'A Trusted Types policy is not allowed.'],
  ['constructor', 'The constructor of a value leads to Function, which runs text as code. Name the class instead.'],
]);
const kGlobals = new Map([
  ['eval', 'eval runs text as code, which is not allowed.'],
  ['Function', 'Function runs text as code, which is not allowed.'],
]);
const kWrites = new Set(['write', 'writeln']);

const isDocument = (node) => /(^|\.|\?\.)(owner|content)?document$/i.test(node.getText().replace(/[()!]/g, ''));

class Reader {
  constructor(name, source) {
    this.name = name;
    this.file = ts.createSourceFile(`${name}.tsx`, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
    this.constants = constantsOf(this.file);
    this.found = [];
  }

  tell(node, message) {
    const { line, character } = this.file.getLineAndCharacterOfPosition(node.getStart(this.file));
    this.found.push({ component: this.name, line: line + 1, column: character + 1, message });
  }

  // A property by whatever it is reached: x.name, x["na" + "me"], {name: …}, <a name=…>, {name: y} = x.
  property(node, name, of) {
    if (kNames.has(name)) this.tell(node, `${name}: ${kNames.get(name)}`);
    else if (kGlobals.has(name)) this.tell(node, `${name}: ${kGlobals.get(name)}`);
    else if (kWrites.has(name) && of && isDocument(of)) this.tell(node, `document.${name} is not allowed. Write elements instead.`);
  }

  computed(node, of) {
    for (const name of strings(node, this.constants)) this.property(node, name, of);
  }

  propertyName(node) {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) this.property(node, node.text);
    else if (ts.isComputedPropertyName(node)) this.computed(node.expression);
  }

  identifier(node) {
    const { parent } = node;
    const isOther = (ts.isPropertyAccessExpression(parent) && parent.name === node) || (ts.isPropertyAssignment(parent) && parent.name === node) || ts.isJsxAttribute(parent);
    if (!isOther && kGlobals.has(node.text)) this.tell(node, kGlobals.get(node.text));
  }

  visit(node) {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;  // types run nothing
    if (ts.isIdentifier(node)) this.identifier(node);
    else if (ts.isPropertyAccessExpression(node)) this.property(node.name, node.name.text, node.expression);
    else if (ts.isElementAccessExpression(node)) this.computed(node.argumentExpression, node.expression);
    else if (ts.isJsxAttribute(node)) this.property(node.name, node.name.getText(this.file));
    else if (ts.isBindingElement(node)) this.propertyName(node.propertyName ?? node.name);
    else if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isMethodDeclaration(node)) this.propertyName(node.name);
    else if (ts.isCallExpression(node)) this.call(node);
    else if (ts.isStringLiteralLike(node)) this.literal(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  // import("x"); setAttribute("srcdoc", …); Reflect.get(x, "innerHTML").
  call(node) {
    if (node.expression.kind === ts.SyntaxKind.ImportKeyword) this.tell(node, 'import() is not allowed. Import at the top of the file.');
    for (const argument of node.arguments) {
      if (!ts.isIdentifier(argument)) for (const text of strings(argument, this.constants)) this.attribute(argument, text);
    }
  }

  // A name in a place from where it may become a key: {key: "innerHTML"}, ["innerHTML"], enum {Key = "innerHTML"}.
  literal(node) {
    const { parent } = node;
    const kept = ts.isPropertyAssignment(parent) ? parent.initializer === node
      : ts.isArrayLiteralExpression(parent) || ts.isEnumMember(parent) || ts.isParameter(parent) || ts.isReturnStatement(parent) || ts.isArrowFunction(parent)
        || (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) || ts.isBindingElement(parent);
    if (kept && node.text !== 'constructor' && kNames.has(node.text)) this.tell(node, `${node.text}: ${kNames.get(node.text)}`);
  }

  attribute(node, text) {
    const lower = text.toLowerCase();
    for (const name of kNames.keys()) if (name !== 'constructor' && lower === name.toLowerCase()) return this.tell(node, `${text}: ${kNames.get(name)}`);
    if (/^on[a-z]{3,}$/.test(lower) && ts.isPropertyAccessExpression(node.parent.expression ?? node) && /^setAttribute/.test(node.parent.expression.name.text))
      this.tell(node, `${text}: a handler from text is not allowed. Use a property such as onClick.`);
  }

  // A pragma says what an element is compiled to: @jsx document.write.
  comments() {
    const all = this.file.text.matchAll(/^\s*\/\/\/\s*<(reference|amd-)|\/[/*]\s*@ts-nocheck|@jsx(Runtime|ImportSource|Frag)?\s/gm);
    for (const { index } of all) {
      const { line, character } = this.file.getLineAndCharacterOfPosition(index);
      this.found.push({ component: this.name, line: line + 1, column: character + 1, message: 'References, @ts-nocheck and @jsx are not allowed.' });
    }
  }
}

const has = (node, kind) => node.modifiers?.some((one) => one.kind === kind) ?? false;

// The name that the default export has in this very file; undefined: there is none. What another file exports is
// not looked for: a component is the file that has its name.
function defaultExport(file) {
  for (const node of file.statements) {
    if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && has(node, ts.SyntaxKind.DefaultKeyword)) return { node, name: node.name?.text };
    if (ts.isExportAssignment(node) && !node.isExportEquals) return { node, name: ts.isIdentifier(node.expression) ? node.expression.text : undefined };
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
      const one = node.exportClause.elements.find((element) => element.name.text === 'default');
      if (one) return { node: one, name: node.moduleSpecifier ? undefined : (one.propertyName ?? one.name).text };
    }
  }
  return undefined;
}

const kDeep = 'The file is nested too deeply. Split it into smaller components.';

export function checkCode(name, source) {
  try {
    return findings(name, source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;  // of the call stack
    return [{ component: name, line: 1, column: 1, message: kDeep }];
  }
}

function findings(name, source) {
  const reader = new Reader(name, source);
  const exported = defaultExport(reader.file);
  if (exported?.name !== name) reader.tell(exported?.node ?? reader.file, `The default export must be named ${name}, in this file: export default function ${name}(props) {…}`);
  reader.comments();
  reader.visit(reader.file);
  return reader.found.sort((a, b) => a.line - b.line || a.column - b.column);
}
