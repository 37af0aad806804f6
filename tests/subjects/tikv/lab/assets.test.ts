import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { assetPath, packageRoot } from '../../../../subjects/tikv/lab/assets.js';

describe('assets of the lab', () => {
  it('are found from the package root, wherever the asking code lies below it', () => {
    const root = packageRoot(import.meta.dirname);
    expect(packageRoot(join(root, 'dist/subjects/tikv/lab'))).toBe(root);
    expect(assetPath('subjects/tikv/lab/pdpb.proto')).toBe(join(root, 'subjects/tikv/lab/pdpb.proto'));
    expect(existsSync(assetPath('subjects/tikv/lab/pdpb.proto'))).toBe(true);
  });

  it('are missing outside of the package, and the error says where it looked', () => {
    expect(() => packageRoot(tmpdir())).toThrow(`no package.json named "medic" at or above ${tmpdir()}`);
  });
});
