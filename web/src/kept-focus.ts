import { useEffect } from 'react';

/**
 * Keeps the place of keyboard users: when the focused element disappears, focus moves to the nearest remaining place, not
 * to the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let around: readonly Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      // A dialog returns the focus by itself.
      last = target.closest('[role=alertdialog]') === null ? target : null;
      around = ancestorsOf(target).filter((element) => element.matches(places));
    };
    const watch = new MutationObserver(() => {
      if (last === null || !isLost(last)) return;
      const place = around.find((element) => element.isConnected) ?? document.querySelector('main');
      last = null;
      if (!(place instanceof HTMLElement)) return;
      const head = headOf(place);
      if (head === null) take(place, { preventScroll: true });
      else take(head);
    });
    document.addEventListener('focusin', remember);
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      watch.disconnect();
    };
  }, []);
}

/** Places that a screen reader can name. */
const places = 'form, section, article, nav, header, main, [role=tabpanel], [tabindex]';

function isLost(last: Element): boolean {
  const { activeElement } = document;
  // A browser removes the focus from a disabled element a moment later.
  if (activeElement === last) return last.matches(':disabled');
  if (activeElement !== document.body) return false;
  return !last.isConnected || last.matches(':disabled');
}

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement;
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

/** A place too large to show the focus names its substitute by `data-focus-at`. */
function headOf(place: HTMLElement): HTMLElement | null {
  const id = place.dataset['focusAt'];
  return id === undefined ? null : document.getElementById(id);
}

function take(place: HTMLElement, options?: FocusOptions): void {
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus(options);
}
