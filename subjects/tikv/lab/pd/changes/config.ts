import { inputError, json, parseErrorText } from '../answers/answer.js';
import { offsetAfter } from '../go-json.js';
import type { Ask, Change, Outcome } from '../route.js';
import { takeSetting } from '../setting-kinds.js';
import { sectionFault } from '../setting-rules.js';
import type { LentSetting, SettingValue } from '../setting-value.js';
import { lentSetting, SECTIONS, type SectionName, settingsOf } from '../settings.js';
import { parseVersion } from '../versions.js';
import type { PdView } from '../view.js';
import { readObject } from './body.js';

const UPDATED = json('The config is updated.');

/** What can be set for a while (PD: `supportedTTLConfigs`). */
const LENDABLE = [
  'max-snapshot-count',
  'enable-location-replacement',
  'max-merge-region-size',
  'max-merge-region-keys',
  'leader-schedule-limit',
  'region-schedule-limit',
  'replica-schedule-limit',
  'merge-schedule-limit',
  'hot-region-schedule-limit',
  'max-pending-peer-count',
  'enable-tikv-split-region',
].map((name) => `schedule.${name}`);

/** One setting that was asked for, or why PD does not take it. */
type Item =
  | { readonly ok: true; readonly name: string; readonly value: SettingValue }
  | { readonly ok: false; readonly fault: string };

/**
 * `POST /config[?ttlSecond=]`. The settings are taken one by one, so those before a bad one stay. With `ttlSecond` they
 * hold for so long and do not show; 0 ends that.
 */
export function setConfig(view: PdView, { body, query }: Ask): Outcome {
  const read = readObject(body);
  if (!read.ok) return plainFault(read.answer.body);
  const ttl = query.get('ttlSecond');
  return ttl === null ? setAll(view, read.value) : lend(view, read.value, ttl);
}

/** `POST /config/schedule` and `/config/replicate`: a part of the section. Keys that PD does not know are passed over. */
export function setSection(view: PdView, section: 'schedule' | 'replication', { body }: Ask): Outcome {
  const read = readObject(body, section === 'schedule' ? 'config.ScheduleConfig' : 'config.ReplicationConfig');
  if (!read.ok) return read.answer;
  const settings: Record<string, SettingValue> = {};
  for (const [name, value] of Object.entries(read.value)) {
    const known = SECTIONS[section][name];
    if (known === undefined) continue;
    const taken = takeSetting({ section, name, known, value });
    if (!taken.ok) return inputError(taken.fault, goErrorData({ fault: taken.fault, name, body }));
    settings[name] = taken.value;
  }
  const fault = sectionFault(section, { ...settingsOf(view, section), ...settings });
  return fault === null ? set(prefixed(section, settings)) : json(fault, 400);
}

function setAll(view: PdView, asked: Readonly<Record<string, unknown>>): Outcome {
  const settings: Record<string, SettingValue> = {};
  for (const [key, value] of Object.entries(asked)) {
    const item = key === 'cluster-version' ? versionItem(value) : itemOf(view, { key, value, before: settings });
    if (!item.ok) return { ...set(settings), answer: json(item.fault, 400) };
    settings[item.name] = item.value;
  }
  return set(settings);
}

function set(settings: Readonly<Record<string, SettingValue>>): Change {
  const { 'cluster-version': version, ...others } = settings;
  return {
    commands: [
      ...(Object.keys(others).length === 0 ? [] : [{ kind: 'set', settings: others } as const]),
      ...(version === undefined ? [] : [{ kind: 'set-cluster-version', version: String(version) } as const]),
    ],
    answer: UPDATED,
    lostStatus: 400,
  };
}

interface Asked {
  readonly key: string;
  readonly value: unknown;
  /** What the same request set before. */
  readonly before: Readonly<Record<string, SettingValue>>;
}

function itemOf(view: PdView, { key, value, before }: Asked): Item {
  const place = placeOf(key);
  if ('fault' in place) return { ok: false, fault: place.fault };
  const { section, name, known } = place;
  const full = `${section}.${name}`;
  if (lentSetting(view, full) !== null) return { ok: false, fault: `need to clean up TTL first for ${full}` };
  const taken = takeSetting({ section, name, known, value });
  if (!taken.ok) return taken;
  const here = { ...settingsOf(view, section), ...ofSection(section, before), [name]: taken.value };
  const fault = sectionFault(section, here);
  return fault === null ? { ok: true, name: full, value: taken.value } : { ok: false, fault };
}

function versionItem(value: unknown): Item {
  const text = String(value);
  if (parseVersion(text) !== null && text !== '') return { ok: true, name: 'cluster-version', value: text };
  return {
    ok: false,
    fault: `[PD:semver:ErrSemverNewVersion]${text} is not in dotted-tri format: ${text} is not in dotted-tri format`,
  };
}

type Place =
  | { readonly section: SectionName; readonly name: string; readonly known: SettingValue }
  | { readonly fault: string };

/** PD looks a bare name up in every section. */
function placeOf(key: string): Place {
  const dot = key.indexOf('.');
  const [prefix, name] = dot === -1 ? [null, key] : [key.slice(0, dot), key.slice(dot + 1)];
  const sections = (Object.keys(SECTIONS) as SectionName[]).filter((section) => prefix === null || section === prefix);
  if (sections.length === 0) return { fault: `config prefix ${prefix} not found` };
  for (const section of sections) {
    const known = SECTIONS[section][name];
    if (known !== undefined) return { section, name, known };
  }
  return { fault: `config item ${name} not found` };
}

function lend(view: PdView, asked: Readonly<Record<string, unknown>>, ttl: string): Outcome {
  if (!/^[-+]?\d+$/.test(ttl)) return json(parseErrorText('Atoi', ttl), 400);
  const unknown = Object.keys(asked).find((name) => !LENDABLE.includes(name));
  if (unknown !== undefined) return json(`unsupported ttl config ${unknown}`, 400);
  const names = Object.keys(asked);
  if (Number(ttl) <= 0) return { commands: [{ kind: 'take-back', names }], answer: json('The ttl config is deleted.') };
  const untilNs = (view.nowNs + BigInt(ttl) * 1_000_000_000n).toString();
  const settings = Object.fromEntries(
    names.map((name): [string, LentSetting] => [name, { value: lendable(asked[name]), untilNs }]),
  );
  return { commands: [{ kind: 'lend', settings }], answer: json('The ttl config is updated.'), lostStatus: 400 };
}

/** PD keeps a lent value as text and looks at its type only when it is used. */
function lendable(value: unknown): SettingValue {
  return typeof value === 'number' ? value : String(value);
}

function prefixed(section: string, settings: Readonly<Record<string, SettingValue>>): Record<string, SettingValue> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${section}.${name}`, value]));
}

function ofSection(section: string, settings: Readonly<Record<string, SettingValue>>): Record<string, SettingValue> {
  const mine = Object.entries(settings).filter(([name]) => name.startsWith(`${section}.`));
  return Object.fromEntries(mine.map(([name, value]) => [name.slice(section.length + 1), value]));
}

/** Of `/config` PD answers with the bare text of what the other routes wrap into an object. */
function plainFault(body: string): Outcome {
  return json((JSON.parse(body) as { readonly msg: string }).msg, 400);
}

/** Go's error as JSON, for the complaints that have fields. */
function goErrorData({ fault, name, body }: { fault: string; name: string; body: string }): object {
  const typed = /^json: cannot unmarshal (.+) into Go struct field (\w+)\.\S+ of type/.exec(fault);
  if (typed === null) return {};
  return { Value: typed[1], Type: {}, Offset: offsetAfter(body, name), Struct: typed[2], Field: name };
}
