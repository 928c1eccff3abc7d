/** The tones of badges, banners and cards; `surfaces.css` has their colors. A word or a sign says the same. */
export type Tone = 'neutral' | 'active' | 'good' | 'yellow' | 'orange' | 'red';
