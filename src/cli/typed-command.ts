/** A command as it has to be typed for this home: `./medic trail tikv/7 --home /x`. */
export const typedCommand = (words: string, home: string): string =>
  `./medic ${words}${home === '.medic' ? '' : ` --home ${home}`}`;
