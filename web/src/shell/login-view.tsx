import { useState, type FormEvent, type ReactElement } from 'react';
import { refusalIn } from '../../../src/client/refusal.ts';
import { Button } from '../design/button.tsx';
import { Field } from '../design/field.tsx';
import { Choices } from './choices.tsx';
import { shellWords } from '../words/shell-words.ts';
import { useWords } from '../words/language.tsx';
import { FailureLine } from '../server/failure-line.tsx';
import type { SessionChoice } from '../server/server-context.tsx';
import type { RequestFailure } from '../server/use-asked.ts';

export function LoginView({ logIn }: Pick<SessionChoice, 'logIn'>): ReactElement {
  const words = useWords(shellWords);
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    logIn(token.trim()).catch((error: unknown) =>
      setFailure(refusalIn(error) ?? { status: null, detail: String(error), hint: null }),
    );
  };
  return (
    <main className="login" tabIndex={-1}>
      <h1>{words.title}</h1>
      <p>{words.loginNeeded}</p>
      <p className="quiet">{words.loginHint}</p>
      <form onSubmit={submit}>
        <Field label={words.token}>
          <input
            type="password"
            autoComplete="current-password"
            required
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </Field>
        <Button type="submit" kind="primary">
          {words.logIn}
        </Button>
      </form>
      {failure !== null && <FailureLine failure={failure} />}
      <Choices />
    </main>
  );
}
