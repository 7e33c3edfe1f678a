package io.skerry.format.dense;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.superblock.Superblock;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Creates files around dense storage; base class of the tests of dense storage. */
abstract class DenseFiles {
  @TempDir Path directory;

  final MemoryFile file = MemoryFile.empty();
  final SpaceAllocator allocator = SpaceAllocator.startingAt(48);

  @BeforeAll
  static void needs_h5py() {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
  }

  /** Tracking of creation order in a group or object. */
  enum Order {
    UNTRACKED(AttributeOrder.UNTRACKED),
    TRACKED(AttributeOrder.TRACKED),
    INDEXED(AttributeOrder.INDEXED);

    final AttributeOrder ofAttributes;

    Order(AttributeOrder ofAttributes) {
      this.ofAttributes = ofAttributes;
    }

    LinkInfoMessage links() {
      return new LinkInfoMessage(
          this == UNTRACKED ? OptionalLong.empty() : OptionalLong.of(0),
          FileAddress.UNDEFINED,
          FileAddress.UNDEFINED,
          this == INDEXED ? OptionalLong.of(FileAddress.UNDEFINED) : OptionalLong.empty());
    }

    AttributeInfoMessage attributes() {
      return new AttributeInfoMessage(
          this == UNTRACKED ? OptionalInt.empty() : OptionalInt.of(0),
          FileAddress.UNDEFINED,
          FileAddress.UNDEFINED,
          this == INDEXED ? OptionalLong.of(FileAddress.UNDEFINED) : OptionalLong.empty());
    }
  }

  final void write(List<BlockImage> images) {
    images.forEach(file::write);
  }

  final Path save(long root) throws IOException {
    file.grow(allocator.endOfFile());
    ByteWriter out = ByteWriter.create();
    Superblock.of(allocator.endOfFile(), root).encode(out);
    file.write(0, out.written());
    Path path = directory.resolve("written.h5");
    file.save(path);
    return path;
  }

  final long header(AttributeOrder order, List<Message> messages) {
    HeaderPrefix prefix = new HeaderPrefix(order, Optional.empty(), Optional.empty(), 2);
    ObjectHeaderWriter writer = new ObjectHeaderWriter(prefix, Widths.EIGHT);
    List<HeaderMessage> entries =
        messages.stream()
            .map(HeaderMessage::of)
            .map(m -> order == AttributeOrder.UNTRACKED ? m : m.withCreationOrder(0))
            .toList();
    HeaderPlacement place = writer.reserve(entries, 64, allocator);
    writer.write(entries, place, allocator).blocks().forEach(file::write);
    return place.first().address();
  }

  final long emptyGroup() {
    return header(
        AttributeOrder.UNTRACKED, List.of(LinkInfoMessage.compact(), GroupInfoMessage.defaults()));
  }

  /** Rewrites a header with a new info message, and the superblock with a new end of file. */
  static void replaceInfo(
      MemoryFile raw,
      TestFile before,
      ObjectHeader root,
      Message old,
      Message info,
      SpaceAllocator space) {
    List<HeaderMessage> messages =
        root.messages().stream().map(m -> m.message().equals(old) ? m.with(info) : m).toList();
    var update =
        new ObjectHeaderWriter(root.prefix(), Widths.EIGHT)
            .write(messages, root.placement(), space);
    update.blocks().forEach(raw::write);
    raw.grow(space.endOfFile());
    ByteWriter out = ByteWriter.create();
    before.superblock().withEndOfFile(space.endOfFile()).encode(out);
    raw.write(0, out.written());
  }

  static void disjoint(List<Block> blocks, long size) {
    long end = 0;
    for (Block block : new TreeSet<>(blocks)) {
      assertTrue(block.address() >= end, block + " after " + end);
      end = block.end();
    }
    assertTrue(end <= size);
  }

  static void dump(Path path) throws IOException {
    if (Files.isExecutable(Path.of("/usr/bin/h5dump"))) {
      String printed = Interpreter.call(List.of("/usr/bin/h5dump", "-A", path.toString()));
      assertTrue(printed.contains("GROUP \"/\""), printed);
    }
  }
}
