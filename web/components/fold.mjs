// What an expression of constant strings is: "inner" + "HTML", `inner${x}` with const x = "HTML", ["a", "b"].join("").
import ts from 'typescript';

const kDeepest = 40;
const kLongest = 64;  // of a text that is looked at: no name of those that are is longer
const kMost = 20;     // texts that an expression may be
const kRounds = 20;

const short = (texts) => [...new Set(texts)].filter((text) => text.length <= kLongest).slice(0, kMost);

// The texts that constants of the file may be, by name. A name that is declared twice may mean either value, so both are
// checked. Constants may be made of each other in any order, also in circles, and double the work with each step. So
// each is computed of what the others are known to be by then, up and down the file until nothing is added.
export function constantsOf(file) {
  const made = new Map();
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) made.set(node.name.text, [...(made.get(node.name.text) ?? []), node.initializer]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const out = new Map();
  const order = [...made];
  for (let round = 0, grows = true; grows && round < kRounds; ++round) {
    grows = false;
    for (const [name, values] of order) {
      const texts = short(values.flatMap((one) => strings(one, out)));
      grows ||= texts.length > (out.get(name) ?? []).length;
      out.set(name, texts);
    }
    order.reverse();
  }
  return out;
}

function joined(parts) {
  return parts.reduce((done, some) => short(done.flatMap((head) => some.map((tail) => head + tail))), ['']);
}

const isSum = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

// a + b + c + …, however long: it is as deep as it is long.
function terms(node) {
  const out = [];
  for (; isSum(node); node = node.left) out.push(node.right);
  return [...out, node].reverse();
}

function called(node, constants, depth) {
  const { expression, arguments: args } = node;
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const of = expression.expression, name = expression.name.text;
  const each = (nodes) => nodes.map((one) => strings(one, constants, depth + 1));
  if (name === 'join' && ts.isArrayLiteralExpression(of)) {
    const between = args.length > 0 ? strings(args[0], constants, depth + 1) : [','];
    return joined(each(of.elements).flatMap((part, i) => (i > 0 ? [between, part] : [part])));
  }
  if (name === 'concat') return joined([strings(of, constants, depth + 1), ...each(args)]);
  return [];
}

// The texts that the expression may be; none where it is not constant.
export function strings(node, constants, depth = 0) {
  if (depth > kDeepest) return [];
  const fold = (one) => strings(one, constants, depth + 1);
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isNumericLiteral(node)) return [node.text];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node)) return fold(node.expression);
  if (ts.isTemplateExpression(node)) return joined([[node.head.text], ...node.templateSpans.flatMap((span) => [fold(span.expression), [span.literal.text]])]);
  if (isSum(node)) return joined(terms(node).map(fold));
  if (ts.isConditionalExpression(node)) return [...fold(node.whenTrue), ...fold(node.whenFalse)];
  if (ts.isIdentifier(node)) return constants.get(node.text) ?? [];
  if (ts.isCallExpression(node)) return called(node, constants, depth);
  return [];
}
