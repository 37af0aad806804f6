import type * as bash from 'unbash';
import type { Refusal } from './text.js';
import { checkName } from './variables.js';

/** Refuses what redefines names, evaluates values as code, or could not be parsed for certain. */
export function checkConstruct(node: bash.SyntaxNode): Refusal | null {
  switch (node.type) {
    case 'Script':
      return node.errors?.[0] ? parse(node.errors[0].message) : null;
    case 'Function':
      return dynamic(`it defines a function \`${node.name.value}\`, which may shadow a command`);
    case 'Coproc':
    case 'Select':
      return parse(`\`${node.type.toLowerCase()}\` is not allowed`);
    case 'ArrayValue':
      return parse('arrays are not allowed: bash evaluates their subscripts as code');
    case 'LocaleString':
      return dynamic('`$".."` is translated at run time');
    case 'FileDescriptorVariable':
    case 'Assignment':
      return checkName(node.name);
    case 'For':
      return checkName(node.name.value);
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script ? null : parse(`\`${node.text}\` cannot be parsed`);
    case 'ParameterExpansion':
      return checkParameter(node);
    default:
      return null;
  }
}

function checkParameter({ prefix, parameter, operation, text }: bash.ParameterExpansionPart): Refusal | null {
  if (prefix === '!') return dynamic(`\`${text}\` evaluates the value of a variable as a name`);
  if (operation?.type === 'Transform') return dynamic(`\`${text}\` may evaluate the value of a variable as code`);
  if (operation?.type === 'Unknown') return parse(`\`${text}\` cannot be parsed`);
  const assigns = operation?.type === 'Default' && operation.operator.endsWith('=');
  return assigns ? checkName(parameter) : null;
}

const parse = (reason: string): Refusal => ({ code: 'MEDIC_POLICY_PARSE', reason });
const dynamic = (reason: string): Refusal => ({ code: 'MEDIC_POLICY_DYNAMIC_COMMAND', reason });
