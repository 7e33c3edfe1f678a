package io.skerry.iod.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineException.Fault;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests folders that are not intact containers, and storage that fails. */
class ContainerFaultsTest {
  private static final int TILE = 20_000;

  @TempDir Path folder;

  private final RocksProvider engine = new RocksProvider();

  private EngineLocation location(String name) {
    return EngineLocation.of("iod:" + folder.resolve(name));
  }

  private Path created(String name) {
    engine.create(location(name), 2);
    try (var container = engine.open(location(name), Opening.writing())) {
      container.recover();
      try (var changes = container.shard(1).change(1)) {
        for (int n = 0; n < 50; n++) {
          changes.put(new Place.Tile(1, n), MemorySegment.ofArray(new byte[TILE]));
          changes.put(new Place.Block(2, n), MemorySegment.ofArray(new byte[100]));
        }
        changes.prepare(Durability.SYNCED);
      }
      assertTrue(container.advance(0, 1));
    }
    return folder.resolve(name);
  }

  private void refused(Reason reason, String name, String actual) {
    for (var opening : List.of(Opening.reading(), Opening.writing())) {
      var e =
          assertThrows(
              ContainerException.class, () -> engine.open(location(name), opening).close());
      assertEquals(reason, e.reason(), e.getMessage());
      assertTrue(e.getMessage().contains("path=" + folder.resolve(name)), e.getMessage());
      assertTrue(e.getMessage().contains("actual=" + actual), e.getMessage());
    }
  }

  @Test
  void other_folders_and_files_are_not_opened_and_not_removed() throws IOException {
    Files.createDirectory(folder.resolve("empty"));
    Files.createDirectories(folder.resolve("other/inner"));
    Files.writeString(folder.resolve("file"), "text");
    created("run");
    refused(Reason.NOT_A_CONTAINER, "empty", "an empty folder");
    refused(Reason.NOT_A_CONTAINER, "other", "a folder without this file");
    refused(Reason.NOT_A_CONTAINER, "file", "a file");
    refused(Reason.NOT_A_CONTAINER, "run/shard-0", "a RocksDB database");
    refused(Reason.MISSING, "none", "nothing");
    for (var name : List.of("other", "file", "run/shard-0")) {
      assertThrows(ContainerException.class, () -> engine.remove(location(name)), name);
      var e = assertThrows(ContainerException.class, () -> engine.create(location(name), 1));
      assertEquals(Reason.EXISTS, e.reason());
    }
    var e = assertThrows(ContainerException.class, () -> engine.create(location("a/b"), 1));
    assertEquals(Reason.MISSING, e.reason());
    engine.remove(location("empty"));
    assertFalse(Files.exists(folder.resolve("empty")));
    assertTrue(Files.exists(folder.resolve("other/inner")));
  }

  @Test
  void an_incomplete_container_does_not_open_and_can_be_removed() throws IOException {
    var path = created("run");
    Files.move(path.resolve("container"), path.resolve("container.incomplete"));
    refused(Reason.INCOMPLETE, "run", "a container whose creation or removal was interrupted");
    var e = assertThrows(ContainerException.class, () -> engine.create(location("run"), 1));
    assertTrue(e.getMessage().contains("was interrupted"), e.getMessage());
    engine.remove(location("run"));
    assertFalse(Files.exists(path));
    engine.create(location("run"), 1);
  }

  @Test
  void a_creation_that_was_interrupted_at_its_first_file_can_be_removed() throws IOException {
    var path = Files.createDirectory(folder.resolve("run"));
    Files.writeString(path.resolve("container.new"), "half a descr");
    refused(Reason.INCOMPLETE, "run", "a container whose creation or removal was interrupted");
    var e = assertThrows(ContainerException.class, () -> engine.create(location("run"), 1));
    assertEquals(Reason.EXISTS, e.reason());
    engine.remove(location("run"));
    assertFalse(Files.exists(path));
    engine.create(location("run"), 1);
    // A folder with other files is not one of a container.
    Files.createDirectory(folder.resolve("other"));
    Files.writeString(folder.resolve("other/container.new"), "");
    Files.writeString(folder.resolve("other/mine"), "");
    refused(Reason.NOT_A_CONTAINER, "other", "a folder without this file");
    assertThrows(ContainerException.class, () -> engine.remove(location("other")));
  }

  @Test
  void shards_are_opened_in_ascending_order() {
    var info = new ContainerInfo(UUID.randomUUID(), 1, 50);
    var all = IntStream.range(0, 50).boxed().toList();
    assertEquals(all, List.copyOf(Opening.reading().shardsOf(info)));
    assertEquals(all, List.copyOf(Opening.reading().ofShards(Set.copyOf(all)).shardsOf(info)));
  }

  @Test
  void a_damaged_description_is_reported_and_the_container_can_be_removed() throws IOException {
    var path = created("run").resolve("container");
    var text = Files.readString(path);
    Files.writeString(path, text.replace("shards 2", "shards 3"));
    var e =
        assertThrows(FormatException.class, () -> engine.open(location("run"), Opening.reading()));
    assertTrue(e.getMessage().contains("file=" + path), e.getMessage());
    engine.remove(location("run"));
    assertFalse(Files.exists(path));
  }

  @Test
  void a_shard_in_the_wrong_place_is_reported() throws IOException {
    var path = created("run");
    Files.move(path.resolve("shard-1"), path.resolve("kept"));
    refused(Reason.WRONG_SHARD, "run", "none");
    move(path.resolve("shard-0"), path.resolve("shard-1"));
    move(path.resolve("kept"), path.resolve("shard-0"));
    refused(Reason.WRONG_SHARD, "run", "ShardIdentity");
    var other = created("other");
    ContainerFolder.deleteTree(path.resolve("shard-0"));
    move(other.resolve("shard-0"), path.resolve("shard-0"));
    refused(Reason.WRONG_SHARD, "run", "ShardIdentity");
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void a_closed_container_can_be_copied() throws IOException {
    var from = created("run");
    try (var container = engine.open(location("run"), Opening.writing())) {
      container.recover();
      container.snapshots().take("s", 1);
    }
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        Files.copy(file, folder.resolve("copy").resolve(from.relativize(file)));
      }
    }
    engine.remove(location("run"));
    for (var opening : List.of(Opening.reading(), Opening.writing(), Opening.ofSnapshot("s"))) {
      try (var container = engine.open(location("copy"), opening)) {
        assertEquals(1, container.readableMark());
        container
            .shard(1)
            .verify(finding -> {
              throw new AssertionError(finding);
            });
      }
    }
    // A snapshot is a container of its own that can only be read.
    try (var container = engine.open(location("copy/snapshots/s"), Opening.reading())) {
      assertEquals(1, container.readableMark());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> engine.open(location("copy/snapshots/s"), Opening.writing()));
  }

  /** Opens a container for writing, says so, and waits. */
  public static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      try (var container =
          new RocksProvider().open(EngineLocation.of("iod:" + arguments[0]), Opening.writing())) {
        System.out.println("open " + container.recover());
        int unused = System.in.read();
      }
    }
  }

  @Test
  void a_writer_in_another_process_is_noticed() throws Exception {
    var path = created("run");
    var process =
        new ProcessBuilder(ChildProgram.of(Holder.class, path).command())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var said = process.inputReader()) {
      assertEquals("open 1", said.readLine());
      var e =
          assertThrows(
              ContainerException.class, () -> engine.open(location("run"), Opening.writing()));
      assertEquals(Reason.IN_USE, e.reason());
      assertTrue(e.getMessage().contains("locked by another process"), e.getMessage());
      assertThrows(ContainerException.class, () -> engine.remove(location("run")));
      process.getOutputStream().close();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    engine.open(location("run"), Opening.writing()).close();
  }

  /** Reads everything, or fails with an exception of the engine. */
  private void readAll(String name) {
    try (var container = engine.open(location(name), Opening.writing())) {
      container.recover();
      var shard = container.shard(1);
      for (int n = 0; n < 50; n++) {
        try (var arena = Arena.ofConfined()) {
          var tile = shard.get(new Place.Tile(1, n), 1, arena).orElseThrow();
          assertEquals(-1, tile.mismatch(MemorySegment.ofArray(new byte[TILE])));
        }
      }
      shard.verify(finding -> {
        throw new FormatException(finding, "", "");
      });
    }
  }

  @Test
  void changed_bytes_of_a_database_are_noticed() throws IOException {
    var path = created("run");
    try (var container = engine.open(location("run"), Opening.writing())) {
      ((RocksShard) container.shard(1)).store().compact();
    }
    var random = new Random(5);
    int noticed = 0;
    for (int round = 0; round < 24; round++) {
      var name = "damaged" + round;
      try (var files = Files.walk(path)) {
        for (var file : files.toList()) {
          Files.copy(file, folder.resolve(name).resolve(path.relativize(file)));
        }
      }
      List<Path> files;
      try (var found = Files.list(folder.resolve(name).resolve("shard-1"))) {
        files =
            found
                .filter(file -> file.toString().matches(".*(sst|blob|MANIFEST.*|CURRENT)"))
                .sorted()
                .toList();
      }
      var file = files.get(round % files.size());
      var bytes = Files.readAllBytes(file);
      for (int n = 0; n < 8; n++) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
      }
      Files.write(file, bytes);
      try {
        readAll(name);
      } catch (EngineException e) {
        noticed++;
        assertEquals(OptionalInt.of(1), e.shard());
        assertTrue(e.getMessage().contains("container=" + folder.resolve(name)), e.getMessage());
        assertFalse(e.code().isEmpty());
      } catch (FormatException e) {
        noticed++;
      }
    }
    assertTrue(noticed >= 20, "noticed: " + noticed);
  }

  @Test
  void a_missing_file_of_a_database_is_damage() throws IOException {
    var path = created("run");
    try (var container = engine.open(location("run"), Opening.writing())) {
      ((RocksShard) container.shard(1)).store().compact();
    }
    try (var files = Files.list(path.resolve("shard-1"))) {
      Files.delete(files.filter(f -> f.toString().endsWith(".blob")).findAny().orElseThrow());
    }
    var e = assertThrows(EngineException.class, () -> readAll("run"));
    assertEquals(Fault.DAMAGED, e.fault(), e.getMessage());
  }

  /** Uses a container on a disk that is full, or that cannot be written. */
  public static final class OnDisk {
    private OnDisk() {}

    public static void main(String[] arguments) {
      var engine = new RocksProvider();
      var location = EngineLocation.of("iod:" + arguments[1]);
      try {
        if (arguments[0].equals("fill")) {
          fill(engine, location);
        } else {
          readOnly(engine, location);
        }
      } catch (EngineException e) {
        System.out.println("unexpected " + e);
        throw e;
      }
      System.out.println("done");
    }

    private static void fill(RocksProvider engine, EngineLocation location) {
      engine.create(location, 1);
      long prepared = 0;
      try (var container = engine.open(location, Opening.writing())) {
        long mark = container.recover();
        var shard = container.shard(0);
        try {
          while (true) {
            try (var changes = shard.change(mark + 1)) {
              for (int n = 0; n < 10; n++) {
                changes.put(
                    new Place.Tile(1, 10 * mark + n), MemorySegment.ofArray(new byte[100_000]));
              }
              changes.prepare(Durability.SYNCED);
              prepared++;
            }
            container.advance(mark, ++mark);
          }
        } catch (EngineException e) {
          System.out.println("full " + e.fault() + " " + e.code() + " " + e.getMessage());
        }
        System.out.println("found " + shard.find(new Place.Tile(1, 0), mark).isPresent());
      } catch (EngineException e) {
        System.out.println("closing " + e.getMessage());
      }
      System.out.println("prepared " + (prepared > 5));
      // Room for the recovery: another file of the disk is deleted.
      try {
        Files.delete(Path.of(location.path()).resolveSibling("ballast"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      try (var container = engine.open(location, Opening.writing())) {
        long mark = container.recover();
        System.out.println("kept " + (mark == prepared || mark == prepared - 1));
        for (long n = 0; n < 10 * mark; n++) {
          container.shard(0).get(new Place.Tile(1, n), mark, Arena.ofAuto()).orElseThrow();
        }
        container.shard(0).verify(finding -> System.out.println("finding " + finding));
        try (var changes = container.shard(0).change(mark + 1)) {
          changes.put(new Place.Tile(2, 0), MemorySegment.ofArray(new byte[1000]));
          changes.prepare(Durability.SYNCED);
        }
        System.out.println("advanced " + container.advance(mark, mark + 1));
      }
    }

    private static void readOnly(RocksProvider engine, EngineLocation location) {
      try (var container = engine.open(location, Opening.reading())) {
        container.shard(1).get(new Place.Tile(1, 1), 1, Arena.ofAuto()).orElseThrow();
        System.out.println("read " + container.readableMark());
      }
      for (Runnable call :
          List.<Runnable>of(
              () -> engine.open(location, Opening.writing()),
              () -> engine.remove(location),
              () -> engine.create(EngineLocation.of(location + "2"), 1))) {
        try {
          call.run();
        } catch (EngineException e) {
          System.out.println("refused " + e.fault());
        }
      }
    }
  }

  private String within(String script, String kind, Path container) throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounting a disk needs root");
    var command =
        new ArrayList<>(
            List.of("unshare", "--mount", "--propagation", "private", "sh", "-c", script));
    command.add(folder.toString());
    command.addAll(ChildProgram.of(OnDisk.class, kind, container).command());
    var log = Files.createTempFile("skerry-iod", ".log");
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), Files.readString(log));
      } finally {
        process.destroyForcibly();
      }
      assumeTrue(process.exitValue() != 77, "no private mount");
      assertEquals(0, process.exitValue(), Files.readString(log));
      return Files.readString(log);
    } finally {
      Files.delete(log);
    }
  }

  @Test
  void a_full_disk_is_reported_and_prepared_transactions_are_kept() throws Exception {
    var script =
        "mount -t tmpfs -o size=40m none \"$0\" || exit 77;"
            + " head -c 16m /dev/zero > \"$0/ballast\"; exec \"$@\"";
    var said = within(script, "fill", folder.resolve("run"));
    assertTrue(said.contains("full NO_SPACE IOError/NoSpace the storage failed"), said);
    assertTrue(said.contains("container=" + folder.resolve("run") + " shard=0"), said);
    for (var line : List.of("found true", "prepared true", "kept true", "advanced true", "done")) {
      assertTrue(said.contains(line), said);
    }
    assertFalse(said.contains("finding"), said);
  }

  @Test
  void a_container_in_a_read_only_folder_can_be_read() throws Exception {
    var path = created("run");
    var script = "mount --bind -o ro \"$0\" \"$0\" || exit 77; exec \"$@\"";
    var said = within(script, "read", path);
    assertEquals("read 1\n" + "refused READ_ONLY\n".repeat(3) + "done\n", said);
  }
}
