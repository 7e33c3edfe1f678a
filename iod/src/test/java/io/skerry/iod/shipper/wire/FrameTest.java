package io.skerry.iod.shipper.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.iod.encoding.Mutations;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FrameTest {
  private static final int INLINE = 100;

  private static MemorySegment encode(Message message, int payload, Transfer transfer) {
    var bytes = new byte[payload];
    new Random(payload).nextBytes(bytes);
    return Frame.encode(message, MemorySegment.ofArray(bytes), INLINE, transfer, Arena.ofAuto());
  }

  @ParameterizedTest
  @EnumSource
  void all_messages_are_decoded_as_they_were_encoded(Transfer transfer) {
    var kinds = new HashSet<Integer>();
    for (int seed = 0; seed < 200; seed++) {
      for (Message message : new Samples(seed).all()) {
        int payload = new int[] {0, 1, INLINE, INLINE + 1, 5000}[seed % 5];
        var encoded = encode(message, payload, transfer);
        kinds.add(Byte.toUnsignedInt(encoded.get(ValueLayout.JAVA_BYTE, 5)));
        var frame = Frame.decode(encoded, transfer);
        assertEquals(message, frame.message());
        assertEquals(payload, frame.payloadSize());
        assertEquals(payload > INLINE, frame.isBulk());
        assertEquals(payload > INLINE ? 0 : payload, frame.inline().byteSize());
        if (!frame.isBulk()) {
          transfer.check(frame.inline(), frame.payloadChecksum());
        }
      }
    }
    assertEquals(16 + 9 + 1 + 10 + 5 + 6 + 9 + 6, kinds.size());
  }

  @Test
  void the_bytes_are_those_of_the_ruler() {
    var message = new Message.Calling(0x0102030405060708L, new Call.Begin(9, 0x11L));
    var frame = encode(message, 0, Transfer.UNCHECKED);
    assertEquals(
        "534b5259010a0000" // mark, version, kind 10, no bulk data, no checksums
            + "0807060504030201" // identifier
            + "0c00000000000000" // 12 bytes of fields
            + "0000000000000000" // no payload
            + "00000000000000000000000000000000" // no checksums
            + "090000001100000000000000", // shard, transaction
        HexFormat.of().formatHex(frame.toArray(ValueLayout.JAVA_BYTE)));
  }

  @Test
  void each_changed_bit_is_found_with_checksums() {
    var put = new Call.Put(1, new Position(2, 3), new Samples(1).place());
    var message = new Message.Calling(7, put);
    var frame = encode(message, 20, Transfer.CHECKED);
    for (long bit = 0; bit < frame.byteSize() * 8; bit++) {
      byte before = frame.get(ValueLayout.JAVA_BYTE, bit / 8);
      frame.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (before ^ 1 << bit % 8));
      assertThrows(
          FormatException.class,
          () -> {
            var decoded = Frame.decode(frame, Transfer.CHECKED);
            Transfer.CHECKED.check(decoded.inline(), decoded.payloadChecksum());
          });
      frame.set(ValueLayout.JAVA_BYTE, bit / 8, before);
    }
    assertEquals(message, Frame.decode(frame, Transfer.CHECKED).message());
  }

  @Test
  void damaged_frames_give_a_message_or_an_error() {
    for (long seed = 1; seed <= 3; seed++) {
      var samples = new ArrayList<byte[]>();
      for (Message message : new Samples(seed).all()) {
        samples.add(
            encode(message, (int) seed * 40, Transfer.UNCHECKED).toArray(ValueLayout.JAVA_BYTE));
      }
      Mutations.check(
          seed,
          samples,
          damaged -> {
            var unused = Frame.decode(damaged, Transfer.UNCHECKED);
          });
    }
  }

  @Test
  void lengths_are_limited() {
    var put = new Message.Calling(1, new Call.Put(1, new Position(2, 3), new Place.Tile(1, 2)));
    var u64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    for (long size : new long[] {0, -1, Frame.LARGEST_BULK + 1, Long.MAX_VALUE}) {
      var frame = encode(put, INLINE + 1, Transfer.UNCHECKED);
      frame.set(u64, 24, size);
      var e = assertThrows(FormatException.class, () -> Frame.decode(frame, Transfer.UNCHECKED));
      assertTrue(e.getMessage().contains("size of bulk data"), e.getMessage());
    }
    var oversized = MemorySegment.ofArray(new byte[Frame.LARGEST + 1]);
    assertThrows(FormatException.class, () -> Frame.decode(oversized, Transfer.UNCHECKED));
    var sizes =
        new Samples(1).all().stream().mapToLong(m -> encode(m, 0, Transfer.CHECKED).byteSize());
    assertTrue(sizes.max().orElseThrow() < Frame.LARGEST - Frame.LARGEST_INLINE);
  }

  @Test
  void a_frame_without_checksum_is_refused_where_one_is_expected() {
    var frame = encode(new Message.Stopping(), 0, Transfer.UNCHECKED);
    assertThrows(FormatException.class, () -> Frame.decode(frame, Transfer.CHECKED));
  }

  private static List<byte[]> pages() {
    var samples = new Samples(5);
    var versions = new ArrayList<Version>();
    var entries = new ArrayList<Entry>();
    for (int n = 0; n < 8; n++) {
      versions.add(samples.version());
      var value = MemorySegment.ofArray(new byte[n]);
      entries.add(new Entry(new Version(samples.place(), n, OptionalLong.of(n)), value));
    }
    var values = entries.stream().mapToInt(e -> (int) e.value().byteSize()).sum();
    var head = PageCodec.entries(Page.last(entries));
    return List.of(
        PageCodec.versions(Page.partial(versions)),
        PageCodec.versions(Page.last(List.of())),
        Arrays.copyOf(head, head.length + values),
        PageCodec.numbers(List.of(1L, -1L)),
        PageCodec.lines(List.of("a", "", "\u00e4\u00f6")));
  }

  @Test
  void pages_are_decoded_as_they_were_encoded() {
    var pages = pages();
    var versions = PageCodec.readVersions(MemorySegment.ofArray(pages.get(0)));
    assertEquals(8, versions.items().size());
    assertTrue(!versions.isLast());
    var samples = new Samples(5);
    assertEquals(samples.version(), versions.items().getFirst());
    assertTrue(PageCodec.readVersions(MemorySegment.ofArray(pages.get(1))).isLast());
    var entries = PageCodec.readEntries(MemorySegment.ofArray(pages.get(2)));
    assertEquals(7, entries.items().getLast().value().byteSize());
    assertEquals(List.of(1L, -1L), PageCodec.readNumbers(MemorySegment.ofArray(pages.get(3))));
    assertEquals(
        List.of("a", "", "\u00e4\u00f6"), PageCodec.readLines(MemorySegment.ofArray(pages.get(4))));
  }

  @Test
  void damaged_pages_give_a_page_or_an_error() {
    Mutations.check(
        1,
        pages(),
        damaged -> {
          try {
            var unused = PageCodec.readVersions(damaged);
          } catch (FormatException e) {
            var unused = PageCodec.readEntries(damaged);
          }
        });
    Mutations.check(
        2,
        pages(),
        damaged -> {
          try {
            var unused = PageCodec.readNumbers(damaged);
          } catch (FormatException e) {
            var unused = PageCodec.readLines(damaged);
          }
        });
  }

  @Test
  void lists_of_changes_are_decoded_as_they_were_encoded() {
    var samples = new Samples(3);
    var list = new EditList(MemorySegment.ofArray(new byte[1000]));
    var expected = new ArrayList<String>();
    while (true) {
      var place = samples.place();
      Optional<MemorySegment> value =
          expected.size() % 3 == 0
              ? Optional.empty()
              : Optional.of(MemorySegment.ofArray(new byte[expected.size()]));
      if (!list.hasRoom(EditList.size(place, value))) {
        break;
      }
      list.add(place, value);
      expected.add(place + " " + value.map(MemorySegment::byteSize));
    }
    var found = new ArrayList<String>();
    EditList.forEach(
        list.payload(),
        (place, value) -> found.add(place + " " + value.map(MemorySegment::byteSize)));
    assertTrue(found.size() > 10);
    assertEquals(expected, found);
    Mutations.check(
        4,
        List.of(list.payload().toArray(ValueLayout.JAVA_BYTE)),
        damaged -> EditList.forEach(damaged, (_, _) -> {}));
  }
}
