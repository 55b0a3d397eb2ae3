type Rgb = [number, number, number];

// The server decides by the same rule: crates/clients/src/clients/branding/accent.rs.
const LIGHT_SURFACE: Rgb = [0xf4, 0xf2, 0xee];
const DARK_SURFACE: Rgb = [0x1f, 0x1d, 0x1a];
const WHITE: Rgb = [0xff, 0xff, 0xff];
const BLACK: Rgb = [0, 0, 0];

/** The contrast that text in the color needs on a light page (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;
const DARK_CONTRAST = 7;

export function parseColor(text: string): Rgb | null {
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1];
  return digits ? ([0, 2, 4].map((from) => Number.parseInt(digits.slice(from, from + 2), 16)) as Rgb) : null;
}

function toText(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, two: Rgb): number {
  const [left, right] = [luminance(one), luminance(two)];
  return (Math.max(left, right) + 0.05) / (Math.min(left, right) + 0.05);
}

function mixed(own: Rgb, other: Rgb, percent: number): Rgb {
  return own.map((channel, index) =>
    Math.floor((channel * (100 - percent) + (other[index] ?? 0) * percent + 50) / 100),
  ) as Rgb;
}

function firstShade(color: Rgb, towards: Rgb, fits: (shade: Rgb) => boolean): Rgb {
  for (let percent = 0; percent < 100; percent += 1) {
    const shade = mixed(color, towards, percent);
    if (fits(shade)) {
      return shade;
    }
  }
  return towards;
}

/** The contrast of text in this color on a light page, rounded down: 4.49 must not be shown as 4.5. */
export function lightContrast(color: Rgb): number {
  return Math.floor(contrast(color, LIGHT_SURFACE) * 100) / 100;
}

/** The first darker shade that is dark enough. */
export function darkEnough(color: Rgb): string {
  return toText(firstShade(color, BLACK, (shade) => lightContrast(shade) >= TEXT_CONTRAST));
}

/** The shade for the dark theme. */
export function darkShade(color: Rgb): string {
  return toText(firstShade(color, WHITE, (shade) => contrast(shade, DARK_SURFACE) >= DARK_CONTRAST));
}
