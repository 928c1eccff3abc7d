/** The states of what a reader presses, chooses or types into. */
import { useState, type ReactElement } from 'react';
import { Button, ButtonLink } from '../src/design/button.tsx';
import { CopyButton } from '../src/design/copy-button.tsx';
import { Dialog, DialogButtons } from '../src/design/dialog.tsx';
import { Field, Tick } from '../src/design/field.tsx';
import { Fold } from '../src/design/fold.tsx';
import { add, link, search } from '../src/design/icons.ts';
import { Segments } from '../src/design/segments.tsx';
import { optionsOf, Select } from '../src/design/select.tsx';
import { Tabs } from '../src/design/tabs.tsx';
import { newKinds } from '../src/route.ts';
import { grades } from '../src/start/compose-start.ts';
import { startWords } from '../src/start/start-words.ts';
import { talkWords } from '../src/talk/talk-words.ts';
import { useWords } from '../src/words/language.tsx';
import { State } from './state.tsx';

const kinds = [undefined, 'primary', 'danger', 'bare', 'link'] as const;

function Buttons(): ReactElement {
  const { start } = useWords(startWords);
  return (
    <>
      {kinds.map((kind) => (
        <State key={kind ?? 'plain'} name={kind ?? 'no kind'}>
          <p className="row">
            <Button kind={kind}>{start}</Button>
            <Button kind={kind} icon={search}>
              {start}
            </Button>
            <Button kind={kind} size="small">
              {start}
            </Button>
          </p>
          <p className="row">
            <Button kind={kind} disabled>
              {start}
            </Button>
            <Button kind={kind} aria-disabled>
              {start}
            </Button>
          </p>
        </State>
      ))}
    </>
  );
}

function ButtonLinks(): ReactElement {
  const { open } = useWords(startWords);
  return (
    <>
      <State name="no kind, with an icon">
        <ButtonLink href="#" icon={add}>
          {open}
        </ButtonLink>
      </State>
      <State name="primary">
        <ButtonLink href="#" kind="primary">
          {open}
        </ButtonLink>
      </State>
    </>
  );
}

function CopyButtons(): ReactElement {
  const words = useWords(startWords);
  return (
    <>
      <State name="normal">
        <CopyButton text={words.task} label={words.task} />
      </State>
      <State name="small, with its own icon; refused">
        <CopyButton size="small" icon={link} text={() => Promise.reject(new Error())} label={words.task} />
      </State>
    </>
  );
}

function Fields(): ReactElement {
  const words = useWords(startWords);
  return (
    <>
      <State name="one line">
        <Field label={words.focus}>
          <input placeholder={words.examples.base} />
        </Field>
      </State>
      <State name="disabled">
        <Field label={words.focus}>
          <input disabled value={words.examples.base} />
        </Field>
      </State>
      <State name="invalid">
        <Field label={words.task}>
          <textarea rows={2} aria-invalid />
        </Field>
      </State>
    </>
  );
}

function Ticks(): ReactElement {
  const { yes, grades: words } = useWords(startWords);
  return (
    <>
      <State name="checkbox">
        <Tick defaultChecked>{yes}</Tick>
      </State>
      <State name="radio">
        <Tick type="radio" name="grade" defaultChecked>
          {words.critical}
        </Tick>{' '}
        <Tick type="radio" name="grade">
          {words.minor}
        </Tick>
      </State>
      <State name="disabled">
        <Tick disabled>{yes}</Tick>
      </State>
    </>
  );
}

function Selects(): ReactElement {
  const words = useWords(startWords);
  const [grade, setGrade] = useState<(typeof grades)[number]>('critical');
  const options = optionsOf(grades, words.grades);
  return (
    <>
      <State name="with a label for screen readers">
        <Select aria-label={words.failOn} value={grade} options={options} onChoose={setGrade} />
      </State>
      <State name="disabled">
        <Select aria-label={words.failOn} value={grade} options={options} onChoose={setGrade} disabled />
      </State>
    </>
  );
}

function SegmentStates(): ReactElement {
  const { kinds: words, new: label } = useWords(startWords);
  const [pressed, press] = useState<(typeof newKinds)[number]>('review');
  return <Segments label={label} names={newKinds} words={words} pressed={pressed} onPress={press} />;
}

function TabStates(): ReactElement {
  const { kinds: words, new: label, about } = useWords(startWords);
  const [open, setOpen] = useState<(typeof newKinds)[number]>('review');
  return <Tabs label={label} names={newKinds} words={words} open={open} onOpen={setOpen} panels={about} />;
}

function Folds(): ReactElement {
  const { thinking, keys } = useWords(talkWords);
  return (
    <Fold id="gallery" head={thinking}>
      {keys}
    </Fold>
  );
}

function Dialogs(): ReactElement {
  const words = useWords(startWords);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <State name="a question">
      <Button onClick={() => setOpen(true)}>{words.start}</Button>
      <Dialog isOpen={isOpen} title={words.new} explanation={words.about.review} onClose={close}>
        <DialogButtons cancel={words.other} send={words.start} isSending={false} onClose={close} />
      </Dialog>
    </State>
  );
}

function Rows(): ReactElement {
  const words = useWords(startWords);
  const row = { cancel: words.other, onClose: () => undefined };
  return (
    <>
      <State name="ready">
        <DialogButtons {...row} send={words.start} isSending={false} />
      </State>
      <State name="sending">
        <DialogButtons {...row} send={words.starting} isSending />
      </State>
    </>
  );
}

export const controls = {
  Button: Buttons,
  ButtonLink: ButtonLinks,
  CopyButton: CopyButtons,
  Field: Fields,
  Tick: Ticks,
  Select: Selects,
  Segments: SegmentStates,
  Tabs: TabStates,
  Fold: Folds,
  Dialog: Dialogs,
  DialogButtons: Rows,
};
