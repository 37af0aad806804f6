import type * as bash from 'unbash';
import type { Refusal } from './text.js';

/**
 * Bash evaluates variables in arithmetic as expressions again, and runs a substitution in their subscripts:
 * `x='a[$(reboot)]'; echo $((x))` reboots. So arithmetic may hold plain numbers only, wherever it is evaluated.
 */
export function checkArithmetic(node: bash.SyntaxNode): Refusal | null {
  switch (node.type) {
    case 'ArithmeticWord':
      return isNumber(node.value) ? null : refuse(node.value);
    case 'ArithmeticCommandExpansion':
      return refuse(node.text);
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return node.expression ? null : refuse(node.type === 'ArithmeticCommand' ? node.body : node.text);
    case 'Assignment':
      return node.index ? checkIndex(node.index) : null;
    case 'ParameterExpansion':
      return (node.index ? checkIndex(node.index) : null) ?? checkSlice(node.operation);
    case 'TestBinary':
      return /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator) ? (checkWord(node.left) ?? checkWord(node.right)) : null;
    case 'TestUnary':
      return /^-[vR]$/.test(node.operator) ? refuse(`${node.operator} ${node.operand.text}`) : null;
    default:
      return null;
  }
}

function checkSlice(operation: bash.ParameterOperation | undefined): Refusal | null {
  if (operation?.type !== 'Slice') return null;
  return checkWord(operation.offset) ?? (operation.length ? checkWord(operation.length) : null);
}

const checkIndex = (index: bash.Word): Refusal | null => (/^[@*]$/.test(index.text) ? null : checkWord(index));

/** Quotes do not help here, so the text as written counts, not the unquoted value. */
const checkWord = (word: bash.Word): Refusal | null => (isNumber(word.text) ? null : refuse(word.text));

const isNumber = (text: string): boolean => /^\s*-?\d+\s*$/.test(text);

const refuse = (text: string): Refusal => ({
  code: 'MEDIC_POLICY_DYNAMIC_COMMAND',
  reason: `arithmetic on \`${text}\`: bash would evaluate its value as code; only plain numbers are allowed`,
});
