/** What a first medic.yaml is made of. */
export interface Sketch {
  readonly name: string;
  /** Where it comes from, for its first line. */
  readonly from: string;
  readonly endpoints: readonly string[];
  /** Paths of PEM files; `null`: they have to be filled in. Absent: plain HTTP. */
  readonly tls?: { readonly ca: string | null; readonly cert: string | null; readonly key: string | null };
  readonly hosts: readonly { readonly address: string; readonly services: readonly string[] }[];
}

/** A commented medic.yaml that observes one cluster. Everything beyond that stands there as a comment. */
export function writeMedic(sketch: Sketch): string {
  return [
    `# What Medic cares for, and whom it tells. Made from ${sketch.from}; it is yours now.`,
    '# `./medic doctor` says what is in order; `./medic up` reads it. More: docs/production.md, docs/notifications.md',
    'version: 1',
    '',
    'subjects:',
    `  - name: ${sketch.name}`,
    '    type: tikv',
    '    environment: production',
    '    # observe: proposals only, nothing runs · ask: runs what a person approved · playbooks: needs a `policy`',
    '    autonomy: observe',
    '    pd:',
    '      # Some members are enough: the others are asked of them.',
    '      endpoints:',
    ...sketch.endpoints.map((endpoint) => `        - ${quoted(endpoint)}`),
    ...tlsLines(sketch),
    '      # Where a proxy in front of PD asks for one (only with https):',
    '      # token: { env: MEDIC_PD_TOKEN }',
    ...hostLines(sketch),
    '',
    '# Who is told of tickets. Secrets never stand here, only where they are.',
    '# notify:',
    '#   - name: team-hook',
    '#     type: webhook',
    '#     url: https://hooks.example.com/medic',
    '#     secret: { env: MEDIC_HOOK_SECRET }',
    '',
    '# Where alerts of an Alertmanager are taken.',
    '# intake:',
    '#   listen: 127.0.0.1:9465',
    '#   token: { env: MEDIC_INTAKE_TOKEN }',
    '',
  ].join('\n');
}

function tlsLines({ tls }: Sketch): string[] {
  if (!tls)
    return [
      '      # With https endpoints; without `ca` those of the system are trusted:',
      '      # tls: { ca: { file: ca.pem }, cert: { file: medic.pem }, key: { file: medic.key } }',
    ];
  const place = (path: string | null, example: string) => `{ file: ${quoted(path ?? `/etc/medic/${example}`)} }`;
  return [
    '      # PEM. A certificate of the CA of the cluster for Medic, which needs no more than to read.',
    '      tls:',
    `        ca: ${place(tls.ca, 'ca.pem')}`,
    `        cert: ${place(tls.cert, 'medic.pem')}`,
    `        key: ${place(tls.key, 'medic.key')}`,
  ];
}

function hostLines({ hosts }: Sketch): string[] {
  if (hosts.length === 0) return [];
  const names = namesOf(hosts.map(({ address }) => address));
  return [
    '    # Stores are called by these names. With `transport: ssh`, `./medic doctor` tells what a host lets Medic read;',
    '    # no transport is needed to observe.',
    '    hosts:',
    ...hosts.map(
      ({ address, services }, index) =>
        `      - { name: ${names[index]}, address: ${quoted(address)}, transport: none, services: [${services.join(', ')}] }`,
    ),
  ];
}

const LONGEST = 32;

/** Names that people may change: the addresses as words, with a number where two would be alike. */
function namesOf(addresses: readonly string[]): string[] {
  const words = addresses.map((address) =>
    `h-${address
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')}`.slice(0, LONGEST),
  );
  return words.map((word, index) => {
    const before = words.slice(0, index).filter((other) => other === word).length;
    return before === 0 ? word : `${word}-${before + 1}`;
  });
}

/** Plain where YAML takes it as text for certain. */
const quoted = (text: string): string => (/^[A-Za-z/][A-Za-z0-9_./-]*$/.test(text) ? text : JSON.stringify(text));
