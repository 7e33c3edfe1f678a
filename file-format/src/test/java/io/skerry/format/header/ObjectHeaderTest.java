package io.skerry.format.header;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.message.CommentMessage;
import io.skerry.format.message.ContinuationMessage;
import io.skerry.format.message.DamagedMessage;
import io.skerry.format.message.NilMessage;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.UnknownMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.PhaseChange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectHeaderTest {
  private static HeaderMessage unknown(Random random, HeaderPrefix prefix) {
    byte[] body = new byte[random.nextInt(10) == 0 ? random.nextInt(3000) : random.nextInt(60)];
    if (prefix.version() == 1) {
      body = Arrays.copyOf(body, body.length / 8 * 8);
    }
    random.nextBytes(body);
    OptionalInt order =
        prefix.attributeOrder() == AttributeOrder.UNTRACKED
            ? OptionalInt.empty()
            : OptionalInt.of(random.nextInt(65536));
    return new HeaderMessage(
        new UnknownMessage(0x0040, Bytes.of(MemorySegment.ofArray(body))), 0, order);
  }

  private static HeaderPrefix prefix(Random random) {
    if (random.nextInt(3) == 0) {
      return HeaderPrefix.earliest(random.nextInt(5));
    }
    return new HeaderPrefix(
        AttributeOrder.values()[random.nextInt(3)],
        random.nextBoolean() ? Optional.of(new PhaseChange(9, 7)) : Optional.empty(),
        random.nextBoolean()
            ? Optional.of(new HeaderPrefix.Times(1, 2, 3, 4_000_000_000L))
            : Optional.empty(),
        2 << random.nextInt(3));
  }

  private static List<HeaderMessage> sorted(List<HeaderMessage> messages) {
    return messages.stream().sorted(Comparator.comparing(HeaderMessage::toString)).toList();
  }

  @Test
  void headers_that_grow_and_shrink_are_read_back_and_leak_no_space() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      HeaderPrefix prefix = prefix(random);
      Widths widths = random.nextBoolean() ? Widths.EIGHT : new Widths(4, 4);
      ObjectHeaderWriter writer = new ObjectHeaderWriter(prefix, widths);
      MemoryFile file = MemoryFile.empty();
      SpaceAllocator allocator = SpaceAllocator.startingAt(random.nextInt(50));
      long start = allocator.endOfFile();
      List<HeaderMessage> messages = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        messages.add(unknown(random, prefix));
      }
      HeaderPlacement place = writer.reserve(messages, random.nextInt(80), allocator);
      long address = place.first().address();
      for (int step = 0; step < 20; step++) {
        SpaceAllocator twin = allocator.copy();
        HeaderUpdate update = writer.write(messages, place, allocator);
        assertSame(update, writer.write(messages, place, twin));
        assertEquals(twin, allocator);
        update.blocks().forEach(file::write);
        place = update.placement();
        ObjectHeader read = ObjectHeader.read(file, widths, address);
        assertEquals(sorted(messages), sorted(read.messages()));
        assertEquals(prefix, read.prefix());
        assertEquals(place, read.placement());
        assertEquals(address, read.address());
        assertTrue(place.continuations().size() <= 1);
        allocator.commitFrees();
        assertNoLeak(allocator, place, start);
        if (random.nextInt(3) > 0) {
          messages.add(unknown(random, prefix));
        } else if (!messages.isEmpty()) {
          messages.remove(random.nextInt(messages.size()));
        }
      }
    }
  }

  private static void assertSame(HeaderUpdate one, HeaderUpdate two) {
    assertEquals(one.placement(), two.placement());
    for (int i = 0; i < one.blocks().size(); i++) {
      assertEquals(-1, one.blocks().get(i).bytes().mismatch(two.blocks().get(i).bytes()));
    }
  }

  private static void assertNoLeak(SpaceAllocator allocator, HeaderPlacement place, long start) {
    long bytes = place.first().length();
    for (Block block : place.continuations()) {
      bytes += block.length();
    }
    for (Block hole : allocator.holes()) {
      bytes += hole.length();
    }
    assertEquals(allocator.endOfFile() - start, bytes);
  }

  @Test
  void a_first_chunk_larger_than_a_message_can_be_is_filled() {
    HeaderPrefix prefix =
        new HeaderPrefix(AttributeOrder.UNTRACKED, Optional.empty(), Optional.empty(), 4);
    ObjectHeaderWriter writer = new ObjectHeaderWriter(prefix, Widths.EIGHT);
    for (int slack = 65530; slack < 65560; slack++) {
      SpaceAllocator allocator = SpaceAllocator.startingAt(0);
      HeaderPlacement place = writer.reserve(List.of(), slack, allocator);
      MemoryFile file = MemoryFile.empty();
      writer.write(List.of(), place, allocator).blocks().forEach(file::write);
      assertEquals(List.of(), ObjectHeader.read(file, Widths.EIGHT, 0).messages());
    }
  }

  @Test
  void every_flipped_bit_is_detected() {
    Random random = new Random(3);
    HeaderPrefix prefix = HeaderPrefix.plain();
    ObjectHeaderWriter writer = new ObjectHeaderWriter(prefix, Widths.EIGHT);
    SpaceAllocator allocator = SpaceAllocator.startingAt(0);
    HeaderPlacement place = writer.reserve(List.of(), 40, allocator);
    List<HeaderMessage> messages = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      messages.add(unknown(random, prefix));
    }
    MemoryFile file = MemoryFile.empty();
    writer.write(messages, place, allocator).blocks().forEach(file::write);
    byte[] whole = file.toArray();
    assertTrue(whole.length > place.first().length());
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= (byte) (1 << random.nextInt(8));
      RuntimeException refused =
          assertThrows(
              RuntimeException.class,
              () -> ObjectHeader.read(MemoryFile.of(damaged), Widths.EIGHT, 0));
      assertTrue(
          refused instanceof FormatException e
              ? e.file().isPresent() && e.address().isPresent()
              : refused instanceof UnsupportedFeatureException,
          refused::toString);
    }
  }

  /** Returns a file with a header of one message and a valid checksum. */
  private static MemoryFile handmade(int type, int flags, MemorySegment body) {
    ByteWriter out = ByteWriter.create();
    out.text("OHDR").u8(2).u8(1).u16(4 + (int) body.byteSize());
    out.u8(type).u16((int) body.byteSize()).u8(flags).bytes(body).checksumFrom(0);
    return MemoryFile.of(out.toArray());
  }

  @Test
  void a_continuation_in_free_space_is_refused_when_it_is_freed() {
    HeaderPrefix prefix =
        new HeaderPrefix(AttributeOrder.UNTRACKED, Optional.empty(), Optional.empty(), 4);
    ObjectHeaderWriter writer = new ObjectHeaderWriter(prefix, Widths.EIGHT);
    SpaceAllocator allocator = SpaceAllocator.startingAt(300);
    Block free = new Block(200, 40);
    allocator.free(free);
    HeaderPlacement place = new HeaderPlacement(new Block(0, 100), List.of(free));
    assertThrows(FormatException.class, () -> writer.write(List.of(), place, allocator));
  }

  @Test
  void a_continuation_cycle_is_refused() {
    ByteWriter body = ByteWriter.create();
    body.u64(0).u64(28);
    MemoryFile file = handmade(ContinuationMessage.TYPE, 0, body.written());
    FormatException refused =
        assertThrows(FormatException.class, () -> ObjectHeader.read(file, Widths.EIGHT, 0));
    assertTrue(refused.what().contains("continuation block"), refused.what());
  }

  @Test
  void an_unknown_message_that_must_not_be_ignored_is_refused_and_others_are_kept() {
    MemorySegment body = MemorySegment.ofArray(new byte[] {1, 2, 3});
    assertThrows(
        UnsupportedFeatureException.class,
        () -> ObjectHeader.read(handmade(0x40, 0x80, body), Widths.EIGHT, 0));
    ObjectHeader kept = ObjectHeader.read(handmade(0x40, 0x10, body), Widths.EIGHT, 0);
    ObjectHeaderWriter writer = new ObjectHeaderWriter(kept.prefix(), Widths.EIGHT);
    BlockImage image =
        writer
            .write(kept.messages(), kept.placement(), SpaceAllocator.startingAt(0))
            .blocks()
            .get(0);
    assertEquals(0x30, image.bytes().get(ValueLayout.JAVA_BYTE, 11), "marked as unknown");
    ObjectHeader forbidding = ObjectHeader.read(handmade(0x40, 0x08, body), Widths.EIGHT, 0);
    assertThrows(
        UnsupportedFeatureException.class,
        () ->
            writer.write(
                forbidding.messages(), forbidding.placement(), SpaceAllocator.startingAt(0)));
  }

  @Test
  void an_unresolved_shared_message_is_kept_and_refused_on_access() {
    MemorySegment body = MemorySegment.ofArray(new byte[] {3, 2, 9, 0, 0, 0, 0, 0, 0, 0});
    ObjectHeader header =
        ObjectHeader.read(handmade(DatatypeMessage.TYPE, 0x02, body), Widths.EIGHT, 0);
    UnsupportedFeatureException refused =
        assertThrows(UnsupportedFeatureException.class, () -> header.find(DatatypeMessage.class));
    assertTrue(refused.feature().contains("0x3"));
    assertEquals(Optional.empty(), header.find(DataspaceMessage.class));
    assertThrows(FormatException.class, () -> header.require(DataspaceMessage.class));
  }

  /** Returns a header of version 1 with the given messages, each as type, flags and body. */
  private static byte[] early(int count, Object... parts) {
    ByteWriter messages = ByteWriter.create();
    for (int i = 0; i < parts.length; i += 3) {
      byte[] body = (byte[]) parts[i + 2];
      messages.u16((Integer) parts[i]).u16(body.length).u8((Integer) parts[i + 1]).zeros(3);
      messages.bytes(body);
    }
    ByteWriter out = ByteWriter.create();
    out.u8(1).u8(0).u16(count).u32(3).u32(messages.position()).zeros(4);
    return out.bytes(messages.written()).toArray();
  }

  private static byte[] continuation(long address, long length) {
    return ByteWriter.create().u64(address).u64(length).toArray();
  }

  @Test
  void a_header_of_version_1_with_continuation_is_read_and_counts_its_links() {
    byte[] first =
        early(
            5,
            CommentMessage.TYPE,
            0,
            "one\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII),
            ContinuationMessage.TYPE,
            0,
            continuation(200, 40),
            NilMessage.TYPE,
            0,
            new byte[16]);
    byte[] second =
        early(
            0,
            CommentMessage.TYPE,
            0,
            "two\0....".getBytes(StandardCharsets.US_ASCII),
            NilMessage.TYPE,
            0,
            new byte[16]);
    MemoryFile file = MemoryFile.of(new byte[300]);
    file.write(32, MemorySegment.ofArray(first));
    file.write(200, MemorySegment.ofArray(second).asSlice(16));
    ObjectHeader header = ObjectHeader.read(file, Widths.EIGHT, 32);
    assertEquals(
        List.of(new CommentMessage("one"), new CommentMessage("two")),
        header.all(CommentMessage.class));
    assertEquals(1, header.prefix().version());
    assertEquals(3, header.references());
    assertEquals(List.of(new Block(200, 40)), header.placement().continuations());
    assertEquals(new Block(32, first.length), header.placement().first());
    assertEquals(7, header.withReferences(7).references());
  }

  @Test
  void a_header_of_version_1_with_a_wrong_number_of_messages_is_read() {
    byte[] comment = "one\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
    for (int claimed : List.of(0, 1, 2, 3, 65535)) {
      MemoryFile file = MemoryFile.of(early(claimed, 13, 0, comment, 13, 0, comment));
      assertEquals(2, ObjectHeader.read(file, Widths.EIGHT, 0).messages().size());
    }
  }

  @Test
  void damage_to_a_header_of_version_1_is_refused_with_the_reason() {
    byte[] comment = "one\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
    refuses(early(1, 13, 0, new byte[12]), "multiple of 8");
    byte[] gap = Arrays.copyOf(early(1, 13, 0, new byte[16]), 41);
    gap[8]++;
    refuses(gap, "gap");
    refuses(early(1, 16, 0, continuation(0, 40)), "apart from");
    refuses(early(1, 16, 0, continuation(1 << 20, 40)), "beyond the end");
    refuses(early(1, 16, 0, continuation(0x4000, 1L << 62)), "beyond the end");
    byte[] longer = early(1, 13, 0, comment);
    longer[18] = 64;
    refuses(longer, "bytes needed");
  }

  private static void refuses(byte[] header, String reason) {
    MemoryFile file = MemoryFile.of(Arrays.copyOf(header, header.length));
    FormatException refused =
        assertThrows(FormatException.class, () -> ObjectHeader.read(file, Widths.EIGHT, 0));
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }

  @Test
  void a_damaged_message_is_refused_only_on_access_and_kept_by_a_rewrite() {
    byte[] comment = "one\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
    byte[] badSpace = {9, 9, 9, 9, 9, 9, 9, 9};
    MemoryFile file = MemoryFile.of(early(2, 13, 0, comment, 1, 0, badSpace));
    ObjectHeader header = ObjectHeader.read(file, Widths.EIGHT, 0);
    assertEquals("one", header.require(CommentMessage.class).text());
    assertTrue(header.has(DataspaceMessage.class));
    for (int i = 0; i < 2; i++) {
      FormatException refused =
          assertThrows(FormatException.class, () -> header.find(DataspaceMessage.class));
      assertTrue(refused.getMessage().contains("version"), refused.getMessage());
    }
    assertThrows(FormatException.class, () -> header.all(DataspaceMessage.class));
    SpaceAllocator space = SpaceAllocator.startingAt(file.size());
    HeaderUpdate update =
        new ObjectHeaderWriter(header.prefix(), Widths.EIGHT)
            .write(header.messages(), header.placement(), space);
    assertEquals(
        -1, update.blocks().get(0).bytes().mismatch(MemorySegment.ofArray(file.toArray())));
  }

  @Test
  void a_resolved_message_is_written_as_its_reference() {
    DatatypeMessage type = new DatatypeMessage(Bytes.of(MemorySegment.ofArray(new byte[12])));
    SharedReference committed = new SharedReference.Committed(0x55);
    for (HeaderPrefix prefix : List.of(HeaderPrefix.plain(), HeaderPrefix.earliest(1))) {
      ObjectHeaderWriter writer = new ObjectHeaderWriter(prefix, Widths.EIGHT);
      List<HeaderMessage> messages = List.of(HeaderMessage.shared(type, committed));
      SpaceAllocator space = SpaceAllocator.startingAt(0);
      MemoryFile file = MemoryFile.empty();
      HeaderUpdate update = writer.write(messages, writer.reserve(messages, 0, space), space);
      update.blocks().forEach(file::write);
      ObjectHeader read =
          ObjectHeader.read(
              file,
              Widths.EIGHT,
              0,
              (kind, reference) ->
                  reference.equals(committed)
                      ? Optional.of(type.body().segment())
                      : Optional.empty());
      assertEquals(messages, read.messages());
      assertEquals(Optional.of(committed), read.sharedReference(DatatypeMessage.class));
      assertTrue(ObjectHeader.read(file, Widths.EIGHT, 0).has(DatatypeMessage.class));
    }
  }

  @Test
  void the_fault_of_a_damaged_message_is_a_new_exception_each_time() {
    FormatException fault = new FormatException("size", 1, 2);
    DamagedMessage damaged =
        new DamagedMessage(3, Bytes.of(MemorySegment.ofArray(new byte[1])), fault);
    RuntimeException thrown = damaged.freshFault();
    thrown.addSuppressed(damaged.freshFault());
    assertEquals(fault.getMessage(), thrown.getMessage());
  }
}
