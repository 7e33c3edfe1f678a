package io.skerry.iod.connector.store;

import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.model.Deletion;
import io.skerry.iod.object.model.ObjectCreator;
import io.skerry.iod.object.model.TileDecoder;

/**
 * A change of a file that takes effect as a whole or not at all.
 *
 * @param changes the changes of the step, which are undone if it fails
 * @param transaction the changes of the transaction, which are not undone: for values that are
 *     stored last and whose failure makes the transaction unusable anyway
 * @param ids the numbers of new objects
 * @param decoder decodes tiles with cells
 */
public record Step(
    ValueChanges changes, ValueChanges transaction, IdSource ids, TileDecoder decoder) {
  /** Returns the creator of objects. Local; does not fail. */
  public ObjectCreator creator() {
    return new ObjectCreator(changes, ids);
  }

  /** Returns the remover of objects. Local; does not fail. */
  public Deletion deletion() {
    return new Deletion(changes, ids, decoder);
  }
}
