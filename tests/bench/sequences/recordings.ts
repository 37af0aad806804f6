import { readFileSync } from 'node:fs';
import type { Recording } from '../../../bench/sequences/rows.js';

const file = (folder: string, fault: string) => new URL(`../../fixtures/${folder}/${fault}.json`, import.meta.url);
const read = (url: URL) => JSON.parse(readFileSync(url, 'utf8')) as Recording;

/** What a real cluster showed around a fault. */
export const readRows = (fault: string): Recording => read(file('tikv-fault-rows', fault));

/** What the stand-in showed. */
export const readLabRows = (fault: string): Recording => read(file('lab-fault-rows', fault));
