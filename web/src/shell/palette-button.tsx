/** Opens the palette, by its button or by Ctrl-K (⌘K on a Mac) anywhere on the page. */
import { useEffect, useEffectEvent, useState, type ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { search } from '../design/icons.ts';
import { latePart } from '../late-part.tsx';
import { useWords } from '../words/language.tsx';
import { paletteWords } from './palette-words.ts';

const Palette = latePart(async () => (await import('./palette.tsx')).Palette);

export function PaletteButton(): ReactElement {
  const words = useWords(paletteWords);
  const [isOpen, setOpen] = useState(false);
  /** The script is loaded with the first use. */
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  const openByKey = useEffectEvent(open);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isOpeningKey(event) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      openByKey();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button
        className="palette-button"
        icon={search}
        aria-keyshortcuts={isMac ? 'Meta+k' : 'Control+k'}
        onClick={open}
      >
        {words.open} <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      {wasOpened && <Palette fallback={null} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

function isOpeningKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'k' && !altKey && !shiftKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}
