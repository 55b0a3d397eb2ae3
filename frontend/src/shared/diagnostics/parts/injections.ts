/** A text that an attacker would write to have it executed. */
export interface Injection {
  kind: 'quote' | 'tautology' | 'comment' | 'UNION' | 'stacked' | 'sleeping' | 'encoded' | 'wildcard';
  text: string;
}

/** The delay that an injected sleep would cause. */
export const SLEEP_MS = 2_000;
const SLEEP = `pg_sleep(${SLEEP_MS / 1000})`;

/**
 * They must do no harm even if they work, because the installation is real. Stacked statements affect only the test
 * data of this name. A sleep runs once, not for each row.
 */
export function injectionsAt(canary: string): Injection[] {
  return [
    { kind: 'quote', text: "'" },
    { kind: 'quote', text: '"' },
    { kind: 'quote', text: "\\'" },
    { kind: 'quote', text: "O'Neil" },
    { kind: 'tautology', text: "' OR '1'='1" },
    { kind: 'tautology', text: '" OR ""="' },
    { kind: 'tautology', text: "') OR ('1'='1" },
    { kind: 'tautology', text: '1 OR 1=1' },
    { kind: 'comment', text: "' OR 1=1 --" },
    { kind: 'comment', text: "'/**/OR/**/1=1/*" },
    { kind: 'comment', text: "admin'#" },
    { kind: 'UNION', text: "' UNION SELECT version() --" },
    { kind: 'UNION', text: "' UNION ALL SELECT NULL, NULL, NULL --" },
    { kind: 'stacked', text: `'; DELETE FROM end_users WHERE username = '${canary}' --` },
    {
      kind: 'stacked',
      text: `'; UPDATE end_users SET name = 'TEST_INJECTED' WHERE username = '${canary}' --`,
    },
    { kind: 'sleeping', text: `'; SELECT ${SLEEP} --` },
    { kind: 'sleeping', text: `' OR (SELECT ${SLEEP}) IS NOT NULL --` },
    { kind: 'sleeping', text: `'||(SELECT ${SLEEP})||'` },
    { kind: 'encoded', text: '%27%20OR%201%3D1' },
    { kind: 'encoded', text: '\u02bc OR \u02bc1\u02bc=\u02bc1' },
    { kind: 'encoded', text: '\uff07 OR 1=1 --' },
    { kind: 'wildcard', text: '%' },
    { kind: 'wildcard', text: '_' },
    { kind: 'wildcard', text: '\\%' },
  ];
}
