/**
 * The pairs of maps: their stored form, and reading and changing them. Start at {@link
 * io.skerry.iod.connector.map.MapPairs}; {@link io.skerry.iod.object.model.MapTypes} shows the
 * stored form.
 *
 * <pre>
 * MapPairs ── PairForm (keys), PairForm (values)   Value or elements in memory ⇄ stored bytes
 *    │
 *    ▼
 * Session   local changes, which are not undone
 * </pre>
 *
 * <p>Keys and values are encoded and checked before the first pair is stored, so a change needs no
 * undo information, and no value is read before it is replaced. The number of pairs is not stored:
 * it would have to be read and written with each pair, and pairs of different ranks would conflict.
 */
package io.skerry.iod.connector.map;
