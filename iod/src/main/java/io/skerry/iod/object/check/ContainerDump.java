package io.skerry.iod.object.check;

import io.skerry.chunk.text.PrintableText;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.object.ArrayObject;
import io.skerry.iod.object.BlobObject;
import io.skerry.iod.object.Crc64;
import io.skerry.iod.object.KeyValue;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.PlaceNames;
import io.skerry.iod.object.ScratchPad;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.Attributes;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.Links;
import io.skerry.iod.object.model.Metadata;
import io.skerry.iod.object.model.MetadataKey;
import io.skerry.iod.object.model.ObjectKind;
import io.skerry.iod.object.model.StoredObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes the objects of a container at a transaction as text, in the terms of the layout:
 * identifiers, scratch pads and key-value pairs. The order is that of the links: an object, its
 * attributes, and then, for each link of a group, its target. An object with several links is
 * written at the first one. The text is the same for containers with the same content, except for
 * the identifiers. Not thread-safe.
 */
public final class ContainerDump {
  private static final int SHOWN_BYTES = 32;

  private final Values values;
  private final Consumer<String> lines;
  private final Set<ObjectId> seen = new HashSet<>();
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** An object to write, and the path of the link to it. */
  private record Waiting(ObjectId id, String path) {}

  private ContainerDump(Values values, Consumer<String> lines) {
    this.values = values;
    this.lines = lines;
  }

  /**
   * Writes all objects that can be reached from the root group. Damage is written where it is
   * found, in a line that begins with an exclamation mark, as is anything that this version cannot
   * decode. Local.
   *
   * @param lines receives the lines; an exception that it throws ends the dump and reaches the
   *     caller unchanged
   * @throws io.skerry.iod.engine.EngineException if the storage fails
   */
  public static void write(Values values, Consumer<String> lines) {
    boolean unused =
        CarriedFailure.unwrapped(() -> {
          new ContainerDump(values, CarriedFailure.carrying(lines)).run();
          return true;
        });
  }

  private void run() {
    lines.accept("CONTAINER transaction " + values.transaction());
    waiting.addFirst(new Waiting(ObjectId.ROOT, "/"));
    while (!waiting.isEmpty()) {
      Waiting next = waiting.removeFirst();
      if (seen.add(next.id)) {
        guarded("", () -> object(next));
      }
    }
  }

  private void guarded(String indent, Runnable step) {
    try {
      step.run();
    } catch (FormatException | UnsupportedFeatureException e) {
      lines.accept(indent + "! " + e.getMessage());
    }
  }

  private void object(Waiting at) {
    StoredObject object = StoredObject.open(values, at.id);
    lines.accept("");
    lines.accept(object.kind() + " " + at.id + " " + PrintableText.quoted(at.path));
    ScratchPad pad = object.pad();
    lines.accept(
        "  scratch pad {"
            + text(pad.metadata())
            + ", "
            + text(pad.attributes())
            + ", "
            + text(pad.extra())
            + ", "
            + text(pad.fourth())
            + "}");
    guarded("  ", () -> metadata(object.metadata(values)));
    Deque<Waiting> next = new ArrayDeque<>();
    if (object.kind() != ObjectKind.ATTRIBUTE) {
      guarded("  ", () -> attributes(Attributes.of(object, values), at.path, next));
    }
    switch (object.kind()) {
      case GROUP -> guarded("  ", () -> links(at, next));
      case MAP -> guarded("  ", () -> pairs("pairs", at.id));
      case DATATYPE -> guarded("  ", () -> blob(at.id));
      case DATASET, ATTRIBUTE -> guarded("  ", () -> tiles(at.id));
    }
    pad.extra().ifPresent(id -> guarded("  ", () -> pairs("id leases " + id, id)));
    while (!next.isEmpty()) {
      waiting.addFirst(next.removeLast());
    }
  }

  private static String text(Optional<ObjectId> id) {
    return id.map(ObjectId::toString).orElse("INVALID");
  }

  private void metadata(Metadata metadata) {
    lines.accept("  metadata " + metadata.id());
    KeyValueObject object = new KeyValueObject(metadata.id(), values);
    Optional<Bytes> last = Optional.empty();
    boolean isLast = false;
    while (!isLast) {
      Page<Bytes> page = object.keys(last, PageLimit.DEFAULT);
      for (Bytes key : page.items()) {
        guarded("    ", () -> metadata(metadata, key));
      }
      isLast = page.isLast();
      last = isLast ? last : Optional.of(page.items().getLast());
    }
  }

  private void metadata(Metadata metadata, Bytes stored) {
    String name = "    " + PlaceNames.key(stored) + " ";
    Optional<MetadataKey> key = MetadataText.key(stored);
    if (key.isEmpty()) {
      lines.accept(name + "unknown");
      return;
    }
    metadata
        .spilled(key.get())
        .ifPresent(cell -> lines.accept(name + "in " + text(cell.blob()) + " " + cell.length()));
    List<String> text = MetadataText.lines(metadata, key.get());
    lines.accept(name + text.getFirst());
    text.stream().skip(1).forEach(line -> lines.accept("    " + line));
  }

  private void attributes(Attributes attributes, String path, Deque<Waiting> next) {
    lines.accept("  attributes " + attributes.id());
    for (Attributes.Named attribute : attributes.all()) {
      lines.accept("    " + PrintableText.quoted(attribute.name()) + " " + attribute.id());
      next.add(new Waiting(attribute.id(), path + "@" + attribute.name()));
    }
  }

  private void links(Waiting group, Deque<Waiting> next) {
    lines.accept("  links");
    Links links = new Links(group.id, values);
    Optional<String> last = Optional.empty();
    boolean isLast = false;
    while (!isLast) {
      Page<Links.Named> page = links.page(last, PageLimit.DEFAULT);
      for (Links.Named named : page.items()) {
        String name = "    " + PrintableText.quoted(named.name());
        switch (named.link()) {
          case Link.Hard(ObjectId target) -> {
            lines.accept(name + " hard " + target);
            String parent = group.path.equals("/") ? "" : group.path;
            next.add(new Waiting(target, parent + "/" + named.name()));
          }
          case Link.Soft(String path) -> lines.accept(name + " soft " + PrintableText.quoted(path));
        }
      }
      isLast = page.isLast();
      last = isLast ? last : Optional.of(page.items().getLast().name());
    }
  }

  private void pairs(String title, ObjectId id) {
    lines.accept("  " + title);
    KeyValueObject object = new KeyValueObject(id, values);
    Optional<Bytes> last = Optional.empty();
    boolean isLast = false;
    while (!isLast) {
      try (Arena arena = Arena.ofConfined()) {
        Page<KeyValue> page = object.pairs(last, PageLimit.DEFAULT, arena);
        page.items()
            .forEach(pair -> lines.accept("    " + pair.key() + " " + content(pair.value())));
        isLast = page.isLast();
        last = isLast ? last : Optional.of(page.items().getLast().key());
      }
    }
  }

  /** Returns the size, and the bytes if there are few, or else their checksum. */
  private static String content(MemorySegment bytes) {
    return bytes.byteSize()
        + " bytes "
        + (bytes.byteSize() <= SHOWN_BYTES
            ? MetadataText.hex(bytes)
            : String.format("CRC-64 %016x", Crc64.of(bytes)));
  }

  private void blob(ObjectId id) {
    try (Arena arena = Arena.ofConfined()) {
      lines.accept("  content " + content(new BlobObject(id, values).read(arena)));
    }
  }

  private void tiles(ObjectId id) {
    lines.accept("  tiles");
    ArrayObject array = new ArrayObject(id, values);
    OptionalLong last = OptionalLong.empty();
    boolean isLast = false;
    while (!isLast) {
      Page<ArrayObject.Tile> page = array.tiles(last, PageLimit.DEFAULT);
      page.items().forEach(tile -> guarded("    ", () -> tile(array, tile.number())));
      isLast = page.isLast();
      last = isLast ? last : OptionalLong.of(page.items().getLast().number());
    }
  }

  private void tile(ArrayObject array, long number) {
    try (Arena arena = Arena.ofConfined()) {
      lines.accept(
          "    " + Long.toUnsignedString(number) + " " + content(array.require(number, arena)));
    }
  }
}
