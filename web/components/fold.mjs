// What an expression of constant strings is: "inner" + "HTML", `inner${x}` with const x = "HTML", ["a", "b"].join("").
import ts from 'typescript';

const kDeepest = 40;

// Constants of the file by name; a name that is declared twice may mean either, and both are looked at.
export function constantsOf(file) {
  const out = new Map();
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) out.set(node.name.text, [...(out.get(node.name.text) ?? []), node.initializer]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return out;
}

function joined(parts) {
  return parts.reduce((done, some) => done.flatMap((head) => some.map((tail) => head + tail)).slice(0, 20), ['']);
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
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) return joined([fold(node.left), fold(node.right)]);
  if (ts.isConditionalExpression(node)) return [...fold(node.whenTrue), ...fold(node.whenFalse)];
  if (ts.isIdentifier(node)) return (constants.get(node.text) ?? []).flatMap(fold).slice(0, 20);
  if (ts.isCallExpression(node)) return called(node, constants, depth);
  return [];
}
