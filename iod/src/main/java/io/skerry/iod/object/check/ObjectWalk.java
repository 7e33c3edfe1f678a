package io.skerry.iod.object.check;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import io.skerry.iod.object.ArrayObject;
import io.skerry.iod.object.BlobObject;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.PlaceNames;
import io.skerry.iod.object.ScratchPad;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.Attributes;
import io.skerry.iod.object.model.CellContents;
import io.skerry.iod.object.model.CommittedDatatype;
import io.skerry.iod.object.model.DatasetMetadata;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.Links;
import io.skerry.iod.object.model.MapTypes;
import io.skerry.iod.object.model.Metadata;
import io.skerry.iod.object.model.MetadataKey;
import io.skerry.iod.object.model.ObjectKind;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.iod.object.model.VariableCell;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Visits all objects that can be reached from the root group, and checks that they agree with each
 * other. Not thread-safe.
 */
final class ObjectWalk {
  private final Values values;
  private final TileDecoder decoder;
  private final Findings findings;
  private final Reached reached = new Reached();
  private final Deque<ObjectId> waiting = new ArrayDeque<>();
  private final List<StoredObject> linked = new ArrayList<>();

  ObjectWalk(Values values, TileDecoder decoder, Findings findings) {
    this.values = values;
    this.decoder = decoder;
    this.findings = findings;
  }

  Reached run() {
    reached.link(ObjectId.ROOT);
    follow(ObjectId.ROOT, "the root group");
    while (!waiting.isEmpty()) {
      ObjectId id = waiting.removeFirst();
      findings.run(() -> visit(id));
    }
    linked.forEach(object -> findings.run(() -> compareLinks(object)));
    return reached;
  }

  /** Records a referenced object, and schedules a visit to it if it has a scratch pad. */
  private void follow(ObjectId target, String from) {
    Optional<Reached.Role> before = reached.add(target, Reached.Role.OBJECT);
    if (before.isPresent()) {
      if (before.get() != Reached.Role.OBJECT) {
        findings.add("wrong type", from + " refers to a part of another object: id=" + target);
      }
      return;
    }
    if (values.size(new Place.ScratchPad(target.bits())).isEmpty()) {
      findings.add(
          "dangling link", from + " refers to an object without scratch pad: id=" + target);
    } else {
      waiting.add(target);
    }
  }

  private void claim(ObjectId id, Reached.Role role, ObjectId owner) {
    if (reached.add(id, role).isPresent()) {
      findings.add("wrong type", "a part of two objects: id=" + id + " object=" + owner);
    }
  }

  private void visit(ObjectId id) {
    ScratchPad pad = StoredObject.findPad(values, id).orElseThrow();
    pad.ids().forEach(part -> claim(part, Reached.Role.AUXILIARY, id));
    StoredObject object = StoredObject.open(values, id);
    Metadata metadata = object.metadata(values);
    findings.run(metadata::creation);
    for (MetadataKey key : MetadataKey.values()) {
      findings.run(() -> metadata.spilled(key).ifPresent(cell -> visitContent(cell, id)));
    }
    findings.run(() -> metadata.committedType().ifPresent(type -> visitType(type, id)));
    switch (object.kind()) {
      case GROUP -> findings.run(() -> visitLinks(id));
      case DATASET -> findings.run(() -> visitDataset(object));
      case DATATYPE -> findings.run(() -> visitDatatype(object));
      case MAP -> findings.run(() -> visitMap(id, MapTypes.read(metadata)));
      case ATTRIBUTE -> findings.run(() -> visitAttribute(object));
    }
    if (object.kind() != ObjectKind.ATTRIBUTE) {
      linked.add(object);
      findings.run(() -> visitAttributes(object));
    }
  }

  private void compareLinks(StoredObject object) {
    long stored = object.metadata(values).linkCount();
    long found = reached.links(object.id());
    if (stored != found) {
      findings.add("link count", "id=" + object.id() + " expected=" + found + " actual=" + stored);
    }
  }

  private void visitType(ObjectId type, ObjectId from) {
    reached.link(type);
    follow(type, from + " committed datatype");
  }

  private void visitLinks(ObjectId group) {
    Links links = new Links(group, values);
    Page<Links.Named> page = links.page(Optional.empty(), PageLimit.DEFAULT);
    visitLinks(group, page);
    while (!page.isLast()) {
      page = links.page(Optional.of(page.items().getLast().name()), PageLimit.DEFAULT);
      visitLinks(group, page);
    }
  }

  private void visitLinks(ObjectId group, Page<Links.Named> page) {
    for (Links.Named named : page.items()) {
      if (named.link() instanceof Link.Hard(ObjectId target)) {
        reached.link(target);
        follow(target, group + " link \"" + named.name() + "\"");
      }
    }
  }

  private void visitAttributes(StoredObject owner) {
    Attributes attributes = Attributes.of(owner, values);
    Page<Attributes.Named> page = attributes.page(Optional.empty(), PageLimit.DEFAULT);
    visitAttributes(owner, page);
    while (!page.isLast()) {
      page = attributes.page(Optional.of(page.items().getLast().name()), PageLimit.DEFAULT);
      visitAttributes(owner, page);
    }
  }

  private void visitAttributes(StoredObject owner, Page<Attributes.Named> page) {
    for (Attributes.Named attribute : page.items()) {
      follow(attribute.id(), owner.id() + " attribute \"" + attribute.name() + "\"");
    }
  }

  private void visitAttribute(StoredObject attribute) {
    Metadata metadata = attribute.metadata(values);
    findings.run(metadata::extent);
    new ArrayObject(attribute.id(), values)
        .get(Attributes.TILE, ObjectWalk::allocate)
        .ifPresent(cells ->
            CellContents.forEach(
                metadata.datatype(MetadataKey.OBJECT_DATATYPE),
                cells,
                cell -> visitContent(cell, attribute.id())));
  }

  private static MemorySegment allocate(long bytes, long alignment) {
    return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
  }

  private void visitDatatype(StoredObject object) {
    long size = new BlobObject(object.id(), values).size().orElse(-1);
    long expected = object.metadata(values).u64(MetadataKey.SERIALIZED_SIZE).orElse(-1);
    if (size != expected) {
      findings.add(
          "damaged",
          "size of a datatype: id=" + object.id() + " expected=" + expected + " actual=" + size);
    }
    var unused = CommittedDatatype.read(object, values);
  }

  private void visitMap(ObjectId map, MapTypes types) {
    Page<Version> page = values.list(Range.all(map.bits(), Part.PAIR), PageLimit.DEFAULT);
    page.items().forEach(pair -> visitPair(types, pair));
    while (!page.isLast()) {
      page = values.list(Range.after(page.items().getLast().place()), PageLimit.DEFAULT);
      page.items().forEach(pair -> visitPair(types, pair));
    }
  }

  private void visitPair(MapTypes types, Version pair) {
    findings.run(() -> {
      try {
        types.requireKey(((Place.Pair) pair.place()).key().size());
        types.requireValue(pair.size().orElseThrow());
      } catch (FormatException e) {
        throw e.inObject(PlaceNames.of(pair.place()));
      }
    });
  }

  private void visitDataset(StoredObject object) {
    DatasetMetadata dataset = DatasetMetadata.read(object.metadata(values));
    ArrayObject array = new ArrayObject(object.id(), values);
    Page<ArrayObject.Tile> page = array.tiles(OptionalLong.empty(), PageLimit.DEFAULT);
    visitTiles(dataset, array, page);
    while (!page.isLast()) {
      page = array.tiles(OptionalLong.of(page.items().getLast().number()), PageLimit.DEFAULT);
      visitTiles(dataset, array, page);
    }
  }

  private void visitTiles(DatasetMetadata dataset, ArrayObject array, Page<ArrayObject.Tile> page) {
    for (ArrayObject.Tile tile : page.items()) {
      findings.run(() -> requireTile(dataset, array, tile.number()));
      if (!dataset.hasCells()) {
        continue;
      }
      findings.run(() -> {
        MemorySegment stored = array.require(tile.number(), ObjectWalk::allocate);
        CellContents.forEach(
            dataset.spec().datatype(),
            decoder.cells(dataset, stored),
            cell -> visitContent(cell, array.id()));
      });
    }
  }

  private void requireTile(DatasetMetadata dataset, ArrayObject array, long number) {
    try {
      decoder.requireTile(dataset, number);
    } catch (FormatException e) {
      throw e.inObject(array.id().toString()).inFile(values.container());
    }
  }

  private void visitContent(VariableCell cell, ObjectId owner) {
    ObjectId id = cell.blob().orElseThrow();
    claim(id, Reached.Role.CONTENT, owner);
    findings.run(() -> checkBlob(new BlobObject(id, values), cell.length(), owner));
  }

  private void checkBlob(BlobObject blob, long length, ObjectId owner) {
    long size = blob.size().orElse(-1);
    if (size < 0) {
      findings.add("dangling link", owner + " refers to a missing BLOB: id=" + blob.id());
    } else if (size != length) {
      findings.add(
          "damaged", "size of a BLOB: id=" + blob.id() + " expected=" + length + " actual=" + size);
    } else {
      blob.requireBlocks(size);
    }
  }
}
