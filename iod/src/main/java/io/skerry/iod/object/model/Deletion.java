package io.skerry.iod.object.model;

import io.skerry.datatype.Datatype;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ArrayObject;
import io.skerry.iod.object.ArrayWriter;
import io.skerry.iod.object.BlobWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ValueChanges;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Removes objects whose last link was removed, with all that belongs to them: scratch pad, metadata
 * and the BLOBs of large values, attributes, links, pairs, tiles, and the BLOBs of cells. Objects
 * that lose their last link as a result are removed as well. A group that contains itself, directly
 * or through other groups, keeps a link and is not removed. Methods are local and throw the
 * exceptions of {@link ValueChanges}; a damaged object causes a {@link
 * io.skerry.exception.FormatException}.
 *
 * @param changes the changes of the transaction
 * @param ids the source of numbers for new objects
 * @param decoder decodes tiles with cells of variable length
 */
public record Deletion(ValueChanges changes, IdSource ids, TileDecoder decoder) {
  /** Removes a link to an object; see {@link LinkWriter#remove}. */
  void removeLink(ObjectId target) {
    Deque<StoredObject> removed = new ArrayDeque<>();
    removeLink(target, removed);
    while (!removed.isEmpty()) {
      delete(removed.removeLast(), removed);
    }
  }

  MetadataWriter writer(ObjectId metadata) {
    return new MetadataWriter(metadata, changes, ids);
  }

  private void removeLink(ObjectId target, Deque<StoredObject> removed) {
    StoredObject object = StoredObject.open(changes, target);
    if (writer(object.pad().requireMetadata()).removeLink() == 0 && !target.equals(ObjectId.ROOT)) {
      removed.add(object);
    }
  }

  private void delete(StoredObject object, Deque<StoredObject> removed) {
    Attributes attributes = Attributes.of(object, changes);
    for (Attributes.Named attribute : attributes.all()) {
      deleteArray(attribute.id(), removed);
    }
    new KeyValueWriter(attributes.id(), changes).clear();
    switch (object.kind()) {
      case GROUP -> deleteLinks(object.id(), removed);
      case MAP -> new KeyValueWriter(object.id(), changes).clear();
      case DATATYPE -> new BlobWriter(object.id(), changes).delete();
      case DATASET -> deleteDataset(object, removed);
      case ATTRIBUTE -> throw new IllegalStateException("an attribute with links");
    }
    deletePad(object);
  }

  private void deletePad(StoredObject object) {
    writer(object.pad().requireMetadata()).delete();
    changes.remove(new Place.ScratchPad(object.id().bits()));
  }

  private void deleteLinks(ObjectId group, Deque<StoredObject> removed) {
    Links links = new Links(group, changes);
    Page<Links.Named> page = links.page(Optional.empty(), PageLimit.DEFAULT);
    removeTargets(page, removed);
    while (!page.isLast()) {
      page = links.page(Optional.of(page.items().getLast().name()), PageLimit.DEFAULT);
      removeTargets(page, removed);
    }
    new KeyValueWriter(group, changes).clear();
  }

  private void removeTargets(Page<Links.Named> page, Deque<StoredObject> removed) {
    for (Links.Named named : page.items()) {
      if (named.link() instanceof Link.Hard(ObjectId target)) {
        removeLink(target, removed);
      }
    }
  }

  private void deleteDataset(StoredObject object, Deque<StoredObject> removed) {
    Metadata metadata = object.metadata(changes);
    metadata.committedType().ifPresent(type -> removeLink(type, removed));
    deleteCells(object.id(), DatasetMetadata.read(metadata));
    new ArrayWriter(object.id(), changes).clear();
  }

  private void deleteCells(ObjectId array, DatasetMetadata dataset) {
    if (!dataset.hasCells()) {
      return;
    }
    ArrayObject object = new ArrayObject(array, changes);
    Page<ArrayObject.Tile> page = object.tiles(OptionalLong.empty(), PageLimit.DEFAULT);
    deleteCells(object, page, dataset);
    while (!page.isLast()) {
      page = object.tiles(OptionalLong.of(page.items().getLast().number()), PageLimit.DEFAULT);
      deleteCells(object, page, dataset);
    }
  }

  private void deleteCells(
      ArrayObject object, Page<ArrayObject.Tile> page, DatasetMetadata dataset) {
    for (ArrayObject.Tile tile : page.items()) {
      object
          .get(tile.number(), Metadata.HEAP)
          .map(bytes -> decoder.cells(dataset, bytes))
          .ifPresent(cells ->
              CellContents.forEach(
                  dataset.spec().datatype(), cells, cell -> CellContents.delete(changes, cell)));
    }
  }

  private void deleteArray(ObjectId attribute, Deque<StoredObject> removed) {
    StoredObject object = StoredObject.open(changes, attribute, ObjectKind.ATTRIBUTE);
    Metadata metadata = object.metadata(changes);
    metadata.committedType().ifPresent(type -> removeLink(type, removed));
    Datatype type = metadata.datatype(MetadataKey.OBJECT_DATATYPE);
    ArrayObject array = new ArrayObject(attribute, changes);
    array
        .get(Attributes.TILE, Metadata.HEAP)
        .ifPresent(
            cells -> CellContents.forEach(type, cells, cell -> CellContents.delete(changes, cell)));
    new ArrayWriter(attribute, changes).clear();
    deletePad(object);
  }

  /**
   * Removes an attribute.
   *
   * @param owner the object to which the attribute belongs
   * @throws IllegalArgumentException if there is no attribute with the name
   * @throws io.skerry.exception.FormatException if the attribute is damaged
   */
  public void deleteAttribute(StoredObject owner, String name) {
    Attributes attributes = Attributes.of(owner, changes);
    ObjectId id =
        attributes
            .find(name)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the object has no attribute of this name: object="
                        + owner.id()
                        + " name="
                        + name));
    Deque<StoredObject> removed = new ArrayDeque<>();
    deleteArray(id, removed);
    new KeyValueWriter(attributes.id(), changes).remove(NameKeys.encode(name));
    while (!removed.isEmpty()) {
      delete(removed.removeLast(), removed);
    }
  }
}
