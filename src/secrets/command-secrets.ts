/** Passwords in the arguments of programs that take them there. */
import { isFiller, type SecretPlace, type SecretShape } from './secret-shape.ts';
import { isPlaceholder } from './secret-value.ts';

/** A value of an argument, in quotation marks or without. */
const value = `["'\`]?(?<secret>[^\\s"'\`\\\\;&|<>(){}]{3,256})(?=[\\s"'\`;&|<>)}]|$)`;

export const commandSecrets: readonly SecretShape[] = [
  argument(
    'curl_password',
    'curl',
    `\\bcurl[ \\t][^\\n;|]{0,300}?(?<=[ \\t])(?:-u|-U|--user|--proxy-user)[ \\t=]{0,3}["']?[^\\s:"'$]{1,100}:(?<secret>[^\\s"'\`;&|<>()]{3,256})`,
  ),
  argument('sshpass_password', 'sshpass', `\\bsshpass[ \\t]{1,9}(?:-[vV][ \\t]{1,9})?-p[ \\t]{0,9}${value}`),
  argument(
    'mysql_password',
    'mysql|mariadb',
    // With a space, the next word is the name of the database.
    `\\b(?:mysql|mariadb)(?:-?[a-z]{2,12})?[ \\t][^\\n;|]{0,300}?(?<=[ \\t])-p${value}`,
  ),
];

function argument(rule: string, hint: string, source: string): SecretShape {
  return {
    rule,
    hint,
    shape: new RegExp(source, 'dg'),
    isSecret: (candidate) => !isPlaceholder(candidate),
    report: reportArgument,
    rejectable: 'quoted_code',
  };
}

function reportArgument(candidate: string, { inTests }: SecretPlace): 'important' | null {
  return inTests || isFiller(candidate) || candidate.length < 6 ? null : 'important';
}
