package io.skerry.iod.connector.store;

import io.skerry.iod.engine.Place;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.model.Deletion;
import io.skerry.iod.object.model.ObjectCreator;
import io.skerry.iod.object.model.TileDecoder;

/**
 * A change of a file that takes effect as a whole or not at all, except for the values that it
 * stores with {@link #transaction}. If several ranks make the change together, each has its own
 * step; if it fails on one of them, all steps are undone.
 *
 * @param changes the changes of the step, which are undone if it fails
 * @param ids the source of the numbers of new objects
 * @param store the open container
 * @param ranks the ranks that have the file open
 * @param decoder decodes tiles with cells
 */
public record Step(
    ValueChanges changes,
    IdSource ids,
    ContainerStore store,
    FileRanks ranks,
    TileDecoder decoder) {
  /**
   * Returns the changes of the transaction, which are not undone. Intended for values that are
   * stored last, where a failure makes the transaction unusable anyway. Local; does not fail.
   */
  public ValueChanges transaction() {
    return store.changes();
  }

  /** Returns the creator of objects. Local; does not fail. */
  public ObjectCreator creator() {
    return new ObjectCreator(changes, ids);
  }

  /** Returns the remover of objects. Local; does not fail. */
  public Deletion deletion() {
    return new Deletion(changes, ids, decoder);
  }

  /** Returns whether this rank changes a tile in a step of all ranks. Local; does not fail. */
  public boolean owns(Place.Tile tile) {
    return !ranks.areSeveral() || store.ownerOf(tile) == ranks.communicator().rank();
  }
}
