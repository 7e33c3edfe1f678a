package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.shard.VersionRecord;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Tests the bytes that the embedded engine stores. */
class StoredBytesTest {
  private static final UUID ID = UUID.fromString("3f0c1e9a-52d4-4b1e-9a51-0d6f3b5c7e11");
  private static final Place PAIR =
      new Place.Pair(5, Bytes.of(MemorySegment.ofArray(new byte[] {'D', 0})));

  private static void golden(String hex, byte[] actual) {
    assertEquals(hex, HexFormat.of().formatHex(actual));
  }

  @Test
  void keys_have_golden_bytes() {
    golden("0000", StoreKeys.identity());
    golden("0001", StoreKeys.mark());
    golden("0002", StoreKeys.oldest());
    golden("0003", StoreKeys.purged());
    golden("01" + "0000000000000005014400ff0000" + "fffffffffffffffe", StoreKeys.value(PAIR, 1));
    golden(
        "02" + "0000000000000005014400ff0000" + "8000000000000000",
        StoreKeys.version(PAIR, Long.MAX_VALUE));
    golden(
        "02" + "0000000000000007" + "02" + "0000000000000003" + "fffffffffffffef3",
        StoreKeys.version(new Place.Tile(7, 3), 268));
    golden("02" + "0000000000000007" + "02", StoreKeys.startOf(7, 2));
    golden("03" + "000000000000010c" + "00000002", StoreKeys.changes(268, 2));
  }

  @Test
  void keys_are_decoded() {
    var key = StoreKeys.version(PAIR, 268);
    assertEquals(PAIR, StoreKeys.place(key));
    assertEquals(268, StoreKeys.transaction(key));
    assertArrayEquals(StoreKeys.value(PAIR, 268), StoreKeys.valueOfVersion(key));
    assertEquals(9, StoreKeys.transactionOfChanges(StoreKeys.changes(9, 1)));
    for (var damaged : List.of("02", "02ff", "0200000000000000000000000000000000000000")) {
      var bytes = HexFormat.of().parseHex(damaged);
      assertThrows(FormatException.class, () -> StoreKeys.transaction(bytes));
    }
    assertThrows(FormatException.class, () -> StoreKeys.transactionOfChanges(new byte[5]));
    assertThrows(FormatException.class, () -> StoreKeys.transactionOfChanges(new byte[13]));
  }

  @Test
  void the_newest_version_comes_first_and_places_keep_their_order() {
    var longer = new Place.Pair(5, Bytes.of(MemorySegment.ofArray(new byte[] {'D', 0, 0})));
    var keys =
        List.of(
            StoreKeys.startOf(5, 1),
            StoreKeys.version(PAIR, Long.MAX_VALUE),
            StoreKeys.version(PAIR, 256),
            StoreKeys.version(PAIR, 255),
            StoreKeys.version(PAIR, 1),
            StoreKeys.version(PAIR, 0),
            StoreKeys.afterVersions(PAIR),
            StoreKeys.version(longer, Long.MAX_VALUE),
            StoreKeys.startOf(5, 2));
    var sorted = new ArrayList<>(keys);
    sorted.sort(Arrays::compareUnsigned);
    assertEquals(keys, sorted);
  }

  @Test
  void records_of_versions_have_golden_bytes() {
    golden("00", VersionRecord.removed());
    golden("01", VersionRecord.small(MemorySegment.ofArray(new byte[0])));
    golden("010007", VersionRecord.small(MemorySegment.ofArray(new byte[] {0, 7})));
    golden("020000000000400000", VersionRecord.large(4 << 20));
    var removed = VersionRecord.of(new byte[] {0}, 0);
    assertTrue(removed.isRemoved());
    assertEquals(OptionalLong.empty(), removed.size());
    assertEquals(OptionalLong.of(0), VersionRecord.of(new byte[] {1}, 0).size());
    assertEquals(
        OptionalLong.of(4 << 20), VersionRecord.of(VersionRecord.large(4 << 20), 0).size());
    for (var damaged :
        List.of(
            "",
            "0000",
            "03",
            "02",
            "0200000000000000",
            "02ffffffffffffffff",
            "020000000040000001")) {
      var bytes = HexFormat.of().parseHex(damaged);
      assertThrows(FormatException.class, () -> VersionRecord.of(bytes, 0), damaged);
    }
  }

  @Test
  void lists_of_changes_have_golden_bytes() {
    var list = new ChangeList();
    list.add(new ChangeList.Change(PAIR, false));
    list.add(new ChangeList.Change(new Place.Tile(7, 3), true));
    var bytes = list.take();
    golden(
        "00"
            + "0000000e"
            + "0000000000000005014400ff0000"
            + "01"
            + "00000011"
            + "0000000000000007"
            + "02"
            + "0000000000000003",
        bytes);
    assertEquals(0, list.size());
    assertEquals(
        List.of(
            new ChangeList.Change(PAIR, false), new ChangeList.Change(new Place.Tile(7, 3), true)),
        ChangeList.decode(bytes));
    assertEquals(List.of(), ChangeList.decode(new byte[0]));
    for (int length = 1; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);
      if (length != 19) {
        assertThrows(FormatException.class, () -> ChangeList.decode(cut), "" + length);
      }
    }
  }

  @Test
  void damaged_lists_give_a_format_exception() {
    var list = new ChangeList();
    list.add(new ChangeList.Change(PAIR, false));
    list.add(new ChangeList.Change(new Place.Block(7, 3), true));
    var bytes = list.take();
    var random = new Random(3);
    for (int round = 0; round < 20_000; round++) {
      var damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        assertEquals(2, ChangeList.decode(damaged).size());
      } catch (FormatException e) {
        assertTrue(e.getMessage().contains("expected="), e.getMessage());
      }
    }
  }

  @Test
  void the_identity_of_a_shard_has_golden_bytes() {
    var identity = new ShardIdentity(ID, 258);
    golden("00000001" + "3f0c1e9a52d44b1e9a510d6f3b5c7e11" + "00000102", identity.encode());
    assertEquals(identity, ShardIdentity.decode(identity.encode()));
    assertThrows(FormatException.class, () -> ShardIdentity.decode(new byte[24]));
    assertThrows(FormatException.class, () -> ShardIdentity.decode(new byte[3]));
  }

  private static final String DESCRIPTION =
      """
      skerry-iod-container 1
      id 3f0c1e9a-52d4-4b1e-9a51-0d6f3b5c7e11
      shards 4
      transaction 17
      """;

  private static byte[] described(String lines) {
    var crc = new CRC32C();
    crc.update(lines.getBytes(StandardCharsets.ISO_8859_1));
    return (lines + String.format("crc32c %08x\n", crc.getValue()))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void the_description_of_a_container_has_golden_bytes() {
    var snapshot = new Manifest(new ContainerInfo(ID, 1, 4), OptionalLong.of(17));
    var text = new String(snapshot.encode(), StandardCharsets.ISO_8859_1);
    assertEquals(DESCRIPTION + "crc32c 9f811a77\n", text);
    assertArrayEquals(described(DESCRIPTION), snapshot.encode());
    assertEquals(snapshot, Manifest.decode(snapshot.encode(), "file"));
    var container = Manifest.of(new ContainerInfo(ID, 1, 1));
    assertEquals(container, Manifest.decode(container.encode(), "file"));
  }

  @Test
  void descriptions_of_other_forms_are_refused() {
    var newer = described(DESCRIPTION.replace("container 1", "container 2"));
    var e = assertThrows(ContainerException.class, () -> Manifest.decode(newer, "here"));
    assertEquals(ContainerException.Reason.NEWER_VERSION, e.reason());
    assertTrue(e.getMessage().contains("path=here expected=version at most 1 actual=2"));
    var other = "something else\n".getBytes(StandardCharsets.ISO_8859_1);
    e = assertThrows(ContainerException.class, () -> Manifest.decode(other, "here"));
    assertEquals(ContainerException.Reason.NOT_A_CONTAINER, e.reason());
    for (var lines :
        List.of(
            DESCRIPTION.replace("shards 4", "shards 0"),
            DESCRIPTION.replace("shards 4", "shards 65537"),
            DESCRIPTION.replace("shards 4", "shards 99999999999999999999"),
            DESCRIPTION.replace("shards 4", "shards -4"),
            DESCRIPTION.replace("shards 4\n", ""),
            DESCRIPTION.replace("container 1", "container 0"),
            DESCRIPTION.replace("container 1", "container one"),
            DESCRIPTION.replace("id 3f", "id "),
            DESCRIPTION.replace("id 3f0c1e9a-", "id "),
            DESCRIPTION.replace("transaction 17", "transaction 9999999999999999999"),
            DESCRIPTION + "more\n")) {
      var bytes = described(lines);
      if (!lines.contains("id 0c1e9a")) {
        var damaged = assertThrows(FormatException.class, () -> Manifest.decode(bytes, "f"), lines);
        assertEquals("f", damaged.file().orElseThrow());
      }
    }
  }

  @Test
  void each_changed_byte_of_a_description_is_noticed() {
    var bytes = described(DESCRIPTION);
    for (int i = 0; i < bytes.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        var damaged = bytes.clone();
        damaged[i] ^= (byte) (1 << bit);
        var e = assertThrows(RuntimeException.class, () -> Manifest.decode(damaged, "f"));
        assertTrue(e instanceof FormatException || e instanceof ContainerException, e.toString());
      }
    }
    for (int length = 0; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);
      assertThrows(RuntimeException.class, () -> Manifest.decode(cut, "f"));
    }
  }
}
