package io.skerry.jobs.integrity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import io.skerry.format.superblock.Superblock;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code skerry recover}, and {@code skerry verify} on files with an interrupted flush. */
class RecoverTest {
  private static final int SECTOR = 512;

  @TempDir private Path folder;

  private Path path;
  private Path journal;

  /** The content of the file after the first flush. */
  private byte[] first = {};

  /** The content of the file after the second flush. */
  private byte[] second = {};

  @BeforeEach
  void write_two_flushes() throws IOException {
    path = folder.resolve("x.h5");
    journal = folder.resolve("x.h5.journal");
    try (H5File file = H5File.create(path)) {
      file.createDataset(
              "/data",
              DatasetSpec.of(Datatype.I32, Shape.of(40).unlimited(0))
                  .chunked(10)
                  .filters(Filters.deflate(1)))
          .write(Selection.all(), filled(40, 1));
    }
    first = Files.readAllBytes(path);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      Dataset data = file.dataset("/data");
      data.extend(60);
      data.write(Selection.all(), filled(60, 2));
    }
    second = Files.readAllBytes(path);
  }

  private static int[] filled(int length, int value) {
    int[] values = new int[length];
    Arrays.fill(values, value);
    return values;
  }

  /** Returns the file after the second flush has appended data but before it replaces any. */
  private byte[] written() {
    byte[] bytes = second.clone();
    System.arraycopy(first, 0, bytes, 0, first.length);
    return bytes;
  }

  /** Returns the journal of the second flush, with the new content of the replaced sectors. */
  private byte[] wholeJournal() {
    List<BlockImage> images = new ArrayList<>();
    for (int at = 0; at < first.length; at += SECTOR) {
      int end = Math.min(first.length, at + SECTOR);
      if (!Arrays.equals(first, at, end, second, at, end)) {
        MemorySegment image = MemorySegment.ofArray(Arrays.copyOfRange(second, at, end));
        images.add(new BlockImage(at, BlockKind.OBJECT_HEADER, image));
      }
    }
    MemorySegment body = Journal.of(new Bytes(first), first.length, second.length, images).encode();
    long bytes = 8 + body.byteSize();
    MemorySegment head =
        ByteWriter.create().text("SKJRNL\0\1").u64(0).u64(bytes).u32(1).checksumFrom(0).written();
    return ByteWriter.create().bytes(head).u64(body.byteSize()).bytes(body).toArray();
  }

  private void killedBeforeReplacing(byte[] left) throws IOException {
    Files.write(path, written());
    Files.write(journal, left);
  }

  private void holds(int length, int value) {
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(filled(length, value), file.dataset("/data").readInts(Selection.all()));
    }
    assertFalse(Files.exists(journal));
    Ran verified = InProcess.good("verify", path);
    assertEquals("clean", verified.out().lines().toList().getLast());
  }

  @Test
  void a_closed_file_has_nothing_to_recover() throws IOException {
    Ran ran = InProcess.good("recover", path);
    assertTrue(ran.out().contains("nothing to recover: there is no journal"), ran.out());
    Ran json = InProcess.good("recover", path, "--json");
    assertTrue(json.out().contains("\"outcome\": \"nothing\""), json.out());
    assertArrayEquals(second, Files.readAllBytes(path));
  }

  @Test
  void a_complete_journal_is_replayed_once() throws IOException {
    killedBeforeReplacing(wholeJournal());
    Ran json = InProcess.good("recover", path, "--json");
    assertTrue(json.out().contains("\"outcome\": \"replayed\""), json.out());
    assertFalse(json.out().contains("\"blocks\": 0"), json.out());
    assertArrayEquals(second, Files.readAllBytes(path));
    assertTrue(InProcess.good("recover", path).out().contains("nothing to recover"));
    holds(60, 2);
  }

  @Test
  void a_journal_that_is_already_applied_is_removed() throws IOException {
    killedBeforeReplacing(wholeJournal());
    Files.write(path, second);
    Ran ran = InProcess.good("recover", path);
    assertTrue(ran.out().contains("all of it was in the file already"), ran.out());
    holds(60, 2);
  }

  @Test
  void an_incomplete_journal_is_discarded() throws IOException {
    byte[] whole = wholeJournal();
    for (int length : new int[] {1, 31, 32, 40, whole.length - 1}) {
      killedBeforeReplacing(Arrays.copyOf(whole, length));
      Ran ran = InProcess.good("recover", path);
      assertTrue(ran.out().contains("journal discarded"), ran.out());
      holds(40, 1);
    }
    killedBeforeReplacing(new byte[0]);
    Ran ran = InProcess.good("recover", path);
    assertTrue(ran.out().contains("no flush was under way"), ran.out());
    holds(40, 1);
  }

  @Test
  void a_file_changed_by_another_program_is_refused_with_its_address() throws IOException {
    killedBeforeReplacing(wholeJournal());
    byte[] changed = written();
    int at = 0;
    while (changed[at] == second[at]) {
      at++;
    }
    changed[at] = (byte) (first[at] ^ second[at] ^ 0x55);
    Files.write(path, changed);
    Ran ran = InProcess.skerry("recover", path.toString());
    assertEquals(1, ran.code());
    assertTrue(ran.err().contains("changed by another program"), ran.err());
    assertTrue(ran.err().contains("address=" + at / SECTOR * SECTOR + " "), ran.err());
    assertTrue(ran.err().contains("file=" + path), ran.err());
    assertEquals(1, ran.err().lines().count());
    assertArrayEquals(changed, Files.readAllBytes(path));
    Ran verified = InProcess.skerry("verify", path.toString());
    assertEquals(1, verified.code());
    assertTrue(verified.out().contains("changes by another program"), verified.out());
  }

  /**
   * Checks that the file is refused on all ranks, for reading and for writing, and by the commands,
   * and that nothing changes.
   */
  private void refusedByAll(String words) throws IOException {
    byte[] file = Files.readAllBytes(path);
    byte[] left = Files.readAllBytes(journal);
    for (int ranks : new int[] {1, 3}) {
      List<String> said = new ArrayList<>();
      for (BiFunction<Path, Communicator, H5File> opening :
          List.<BiFunction<Path, Communicator, H5File>>of(H5File::open, H5File::openForWriting)) {
        said.addAll(
            LocalRanks.call(
                ranks,
                world ->
                    assertThrows(CollectiveException.class, () -> opening.apply(path, world))
                        .getMessage()));
      }
      assertEquals(2 * ranks, said.size());
      said.forEach(one -> assertTrue(one.contains(words), one));
    }
    InProcess.refused(1, words, "recover", path);
    InProcess.refused(1, words, "ls", path);
    assertArrayEquals(file, Files.readAllBytes(path));
    assertArrayEquals(left, Files.readAllBytes(journal));
  }

  @Test
  void the_journal_of_another_file_is_refused_and_kept() throws IOException {
    byte[] others = wholeJournal();
    try (H5File file = H5File.create(path)) {
      file.createDataset("/other", DatasetSpec.of(Datatype.F64, Shape.of(4000)))
          .write(Selection.all(), new double[4000]);
    }
    Files.write(journal, others);
    refusedByAll("changed by another program");
  }

  @Test
  void the_journal_of_an_older_state_is_refused_and_kept() throws IOException {
    byte[] older = wholeJournal();
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      file.dataset("/data").extend(70);
      file.createGroup("/later");
    }
    Files.write(journal, older);
    refusedByAll("changed by another program");
  }

  @Test
  void a_file_that_is_not_a_journal_is_refused_and_kept() throws Exception {
    Files.writeString(journal, "a diary");
    String words = "the file with the name of the journal is not a journal";
    refusedByAll(words);
    InProcess.refused(1, words, "verify", path);
    Path other = Files.write(folder.resolve("other.h5"), second);
    InProcess.refused(1, words, "repack", other, path, "--force");
    assertArrayEquals(second, Files.readAllBytes(path));
    assertEquals("a diary", Files.readString(journal));
  }

  @Test
  void verify_reports_an_interrupted_flush_and_changes_nothing() throws IOException {
    byte[] whole = wholeJournal();
    killedBeforeReplacing(whole);
    Ran ran = InProcess.skerry("verify", path.toString());
    assertEquals(1, ran.code());
    assertTrue(
        ran.out().contains("an interrupted flush, which skerry recover finishes"), ran.out());
    assertArrayEquals(written(), Files.readAllBytes(path));
    assertArrayEquals(whole, Files.readAllBytes(journal));
    InProcess.good("recover", path);
    holds(60, 2);
  }

  @Test
  void a_file_open_for_writing_is_refused() {
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      InProcess.refused(1, "open for writing elsewhere", "recover", path);
      InProcess.refused(1, "file=" + path, "recover", path);
      InProcess.refused(1, "open for writing elsewhere", "verify", path);
      file.createGroup("/still");
    }
    assertTrue(InProcess.good("ls", path).out().contains("still"));
  }

  /** Returns the file during the second flush: marked, but without the new superblock. */
  private byte[] marked() {
    byte[] half = written();
    ByteWriter out = ByteWriter.create();
    Superblock.decode(ByteReader.of(MemorySegment.ofArray(first).asSlice(0, 48), "superblock"))
        .encodeMidFlush(out);
    System.arraycopy(out.toArray(), 0, half, 0, out.position());
    return half;
  }

  @Test
  void an_interrupted_flush_without_journal_is_refused_until_ended_on_request() throws IOException {
    byte[] half = marked();
    Files.write(path, half);
    refusedBecause("an interrupted flush");
    InProcess.refused(1, path + ".journal", "recover", path);
    assertArrayEquals(half, Files.readAllBytes(path));
    Ran json = InProcess.good("recover", "--without-journal", path, "--json");
    assertTrue(json.out().contains("\"outcome\": \"ended\""), json.out());
    // The flush had not replaced anything.
    holds(40, 1);
    InProcess.refused(1, "no flush was interrupted", "recover", "--without-journal", path);
    assertFalse(Files.exists(journal));
  }

  private void refusedBecause(String words) {
    for (String command : List.of("recover", "ls", "digest")) {
      InProcess.refused(1, words, command, path);
    }
    Ran verified = InProcess.skerry("verify", path.toString());
    assertEquals(1, verified.code());
    assertTrue(verified.out().contains(words), verified.out());
  }

  @Test
  void a_flush_with_a_journal_is_not_ended_without_it() throws IOException {
    killedBeforeReplacing(wholeJournal());
    Files.write(path, marked());
    byte[] whole = Files.readAllBytes(journal);
    String words = "a journal with content is beside the file";
    InProcess.refused(1, words, "recover", "--without-journal", path);
    assertArrayEquals(marked(), Files.readAllBytes(path));
    assertArrayEquals(whole, Files.readAllBytes(journal));
  }

  @Test
  void an_interrupted_flush_in_a_family_member_is_reported() throws IOException {
    Path member = Files.write(folder.resolve("run000.h5"), marked());
    Files.write(folder.resolve("run001.h5"), second);
    InProcess.refused(1, "an interrupted flush", "ls", member);
    InProcess.refused(1, "an interrupted flush", "ls", folder.resolve("run%03d.h5"));
  }

  /** A single file whose name matches a family pattern can be opened by the pattern. */
  @Test
  void a_family_of_one_member_is_recovered_by_its_pattern() throws IOException {
    Path member = folder.resolve("run000.h5");
    for (String command : List.of("recover", "ls")) {
      Files.write(member, written());
      Files.write(folder.resolve("run000.h5.journal"), wholeJournal());
      InProcess.good(command, folder.resolve("run%03d.h5"));
      assertArrayEquals(second, Files.readAllBytes(member), command);
    }
  }

  @Test
  void a_missing_file_or_a_file_that_is_not_hdf5_is_an_error() throws IOException {
    InProcess.refused(1, "no such file", "recover", folder.resolve("missing.h5"));
    Path text = Files.writeString(folder.resolve("t.h5"), "words");
    InProcess.refused(1, text.toString(), "recover", text);
    assertEquals(2, InProcess.skerry("recover").code());
    assertTrue(InProcess.good("recover", "--help").out().contains("journal"));
  }

  private record Bytes(byte[] content) implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      return MemorySegment.ofArray(content).asSlice(address, length);
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public String name() {
      return "memory";
    }
  }
}
