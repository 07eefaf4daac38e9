import { useEffect, useState } from 'preact/hooks';
import { type Place, readPlace, writePlace } from './location.ts';

/** The place in the URL's hash, and the way to another one: a step that the back button undoes. */
export function usePlace(): readonly [Place, (place: Place) => void] {
  const [place, setPlace] = useState(() => readPlace(location.hash));
  useEffect(() => {
    const read = (): void => setPlace(readPlace(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const go = (to: Place): void => {
    location.hash = writePlace(to);
    setPlace(to);
  };
  return [place, go];
}
