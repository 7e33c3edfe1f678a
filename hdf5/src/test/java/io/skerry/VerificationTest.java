package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.Lookup3;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.format.block.Block;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.NativeFileOpener;
import io.skerry.internal.file.Resolver;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerificationTest {
  @TempDir Path folder;

  private Path path;
  private final List<Verification.Finding> findings = new ArrayList<>();

  @BeforeEach
  void write() {
    path = folder.resolve("all.h5");
    try (H5File file = H5File.create(path)) {
      int[] numbers = new int[400];
      Arrays.setAll(numbers, i -> i * i);
      for (String name :
          List.of("single", "fixed", "extensible", "tree", "contiguous", "compact")) {
        file.createDataset("/" + name, spec(name)).write(Selection.all(), numbers);
      }
      file.createDataset("/deflated", spec("fixed").filters(Filters.shuffle(), Filters.deflate(6)))
          .write(Selection.all(), numbers);
      file.createDataset("/sparse", DatasetSpec.of(Datatype.I32, Shape.of(20, 20)).sparse(7, 7))
          .write(Selection.points(new long[][] {{1, 2}, {19, 19}}), new int[] {1, 2});
      DatasetSpec texts = DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(3));
      file.createDataset("/texts", texts)
          .write(Selection.all(), new String[] {"one", "two", "three"});
      for (int i = 0; i < 30; i++) {
        Group group = file.createGroup("/many/group" + i);
        group.setAttribute(Attribute.of("number", "of " + i));
        file.group("/many").setAttribute(Attribute.of("attribute" + i, "x".repeat(300)));
      }
      file.flush();
      file.unlink("/many/group7");
    }
  }

  private static DatasetSpec spec(String name) {
    Shape fixed = Shape.of(20, 20);
    return switch (name) {
      case "single" -> DatasetSpec.of(Datatype.I32, fixed).chunked(20, 20);
      case "fixed" -> DatasetSpec.of(Datatype.I32, fixed).chunked(7, 7);
      case "extensible" -> DatasetSpec.of(Datatype.I32, fixed.unlimited(0)).chunked(7, 7);
      case "tree" -> DatasetSpec.of(Datatype.I32, fixed.unlimited(0).unlimited(1)).chunked(7, 7);
      case "compact" -> DatasetSpec.of(Datatype.I32, fixed).compact();
      default -> DatasetSpec.of(Datatype.I32, fixed).contiguous();
    };
  }

  private SpaceReport verify() {
    findings.clear();
    return Verification.of(path, findings::add);
  }

  /** Changes the bytes of the file. */
  private void damage(Consumer<ByteBuffer> change) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    change.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    Files.write(path, bytes);
  }

  private List<Block> chunks(String name) {
    List<Block> blocks = new ArrayList<>();
    try (NativeFile file = opened()) {
      index(file, name)
          .forEachRecord(
              file.tree().source(),
              (scaled, record) ->
                  blocks.add(new Block(record.address(), record.sections().size())));
    }
    return blocks;
  }

  /** Opens the file below the object model, where its structures are accessible. */
  private NativeFile opened() {
    return NativeFileOpener.open(
        path, FileAccess.READ, Communicator.self(), FileOptions.standard());
  }

  private static ChunkIndex index(NativeFile file, String name) {
    return ((Storage.Chunked) file.dataset(name).kept()).dataset().index();
  }

  /** Changes the address in a record of a fixed array with a single data block. */
  private void redirect(String name, long from, long to) throws IOException {
    Block array;
    try (NativeFile file = opened()) {
      array =
          index(file, name).blocks(file.tree().source()).stream()
              .max((a, b) -> Long.compare(a.length(), b.length()))
              .orElseThrow();
    }
    damage(bytes -> {
      int start = (int) array.address();
      int end = (int) array.end() - 4;
      int at = start;
      while (bytes.getLong(at) != from) {
        at++;
      }
      assertTrue(at < end, "the record is in the block");
      bytes.putLong(at, to);
      MemorySegment covered = MemorySegment.ofBuffer(bytes.duplicate().position(start).limit(end));
      bytes.putInt(end, Lookup3.checksum(covered));
    });
  }

  private void assertFound(long address, String path, String what) {
    assertTrue(
        findings.stream()
            .anyMatch(
                f -> f.address() == address && f.path().equals(path) && f.what().contains(what)),
        findings.toString());
  }

  @Test
  void a_file_with_every_layout_has_no_findings_and_complete_space_accounting() {
    SpaceReport report = verify();
    assertEquals(List.of(), findings);
    assertEquals(1 + 9 + 1 + 29, report.objects());
    long used = report.bytes().values().stream().mapToLong(Long::longValue).sum();
    assertEquals(report.endOfFile(), used + report.unclaimed());
    assertEquals(0, report.beyond());
    for (SpaceReport.Kind kind :
        List.of(
            SpaceReport.Kind.SUPERBLOCK,
            SpaceReport.Kind.OBJECT_HEADER,
            SpaceReport.Kind.LINKS,
            SpaceReport.Kind.ATTRIBUTES,
            SpaceReport.Kind.CHUNK_INDEX,
            SpaceReport.Kind.CHUNK,
            SpaceReport.Kind.GLOBAL_HEAP)) {
      assertTrue(report.bytes().containsKey(kind), kind.text());
    }
    assertEquals(1600L + 3 * 16, report.bytes().get(SpaceReport.Kind.CONTIGUOUS));
  }

  @Test
  void a_wrong_checksum_is_found_and_the_other_objects_are_verified() throws IOException {
    HeaderPlacement place;
    long chunk = chunks("/deflated").getFirst().address();
    try (NativeFile file = opened()) {
      place = file.tree().header(Resolver.hardAddress(file, "/many/group3")).placement();
    }
    int last = (int) place.first().end() - 1;
    damage(bytes -> {
      bytes.put(last, (byte) (bytes.get(last) ^ 1));
      bytes.put((int) chunk + 9, (byte) (bytes.get((int) chunk + 9) ^ 1));
    });
    SpaceReport report = verify();
    assertEquals(2, findings.size(), findings.toString());
    assertFound(place.first().address(), "/many/group3", "checksum");
    assertFound(chunk, "/deflated", "");
    assertEquals(1 + 9 + 1 + 29, report.objects());
  }

  @Test
  void a_chunk_inside_metadata_is_an_overlap() throws IOException {
    long header;
    try (H5File file = H5File.open(path)) {
      header = file.group("/many").address();
    }
    redirect("/fixed", chunks("/fixed").get(4).address(), header);
    verify();
    assertTrue(findings.stream().allMatch(f -> f.what().equals("overlap of allocated space")));
    assertTrue(
        findings.stream()
            .anyMatch(f -> f.toString().contains("/fixed") && f.toString().contains("/many")),
        findings.toString());
  }

  @Test
  void two_chunks_at_one_address_are_an_overlap() throws IOException {
    List<Block> chunks = chunks("/fixed");
    redirect("/fixed", chunks.get(4).address(), chunks.get(2).address());
    verify();
    assertEquals(1, findings.size(), findings.toString());
    assertFound(chunks.get(2).address(), "/fixed", "overlap of allocated space");
  }

  @Test
  void a_chunk_beyond_the_end_of_the_file_is_found() throws IOException {
    redirect("/fixed", chunks("/fixed").get(4).address(), 1L << 40);
    verify();
    assertFound(1L << 40, "/fixed", "beyond the allocated end of the file");
    assertTrue(findings.stream().allMatch(f -> f.path().equals("/fixed")), findings.toString());
  }

  @Test
  void a_truncated_collection_of_the_global_heap_is_found() throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("GCOL");
    damage(all -> all.putLong(at + 8, 24));
    verify();
    assertEquals(1, findings.size(), findings.toString());
    assertFound(at, "/texts", "");
  }

  @Test
  void a_truncated_file_is_one_finding() throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    Files.write(path, Arrays.copyOf(bytes, bytes.length - 100));
    SpaceReport report = verify();
    assertEquals(0, report.objects());
    assertEquals(1, findings.size());
    assertFound(0, "/", "truncated file");
  }

  /** Returns exceptions that the verification itself may cause, and one that it does not cause. */
  static List<Throwable> failuresOfWatchers() {
    return List.of(
        new FormatException("a finding", "none", 1),
        new UnsupportedFeatureException("a feature", "a watcher"),
        new MemoryLimitException("a list of findings", 2, 1, "none"),
        UntrustedFileException.of("other.h5", "a reason", "another file is refused"),
        new OutOfMemoryError("too many findings"),
        new IllegalStateException("enough"));
  }

  @ParameterizedTest
  @MethodSource("failuresOfWatchers")
  void an_exception_of_the_watcher_reaches_the_caller_unchanged(Throwable failure)
      throws IOException {
    long chunk = chunks("/deflated").getFirst().address();
    damage(bytes -> bytes.put((int) chunk + 9, (byte) (bytes.get((int) chunk + 9) ^ 1)));
    List<Long> calls = new ArrayList<>();
    assertSame(
        failure,
        assertThrows(
            Throwable.class,
            () ->
                Verification.of(
                    path,
                    found -> {
                      calls.add(found.address());
                      throw unchecked(failure);
                    })));
    assertEquals(1, calls.size());
    // The first call reports progress of an object header, the others of other structures.
    for (int number : new int[] {0, 1, 5, 20}) {
      calls.clear();
      assertSame(
          failure,
          assertThrows(
              Throwable.class, () -> Verification.of(path, new Progress(number, calls, failure))));
      assertEquals(number + 1, calls.size());
    }
  }

  /** A watcher that fails at a call that reports progress, after a number of other calls. */
  private record Progress(int number, List<Long> calls, Throwable failure)
      implements Verification.Watcher {
    @Override
    public void finding(Verification.Finding finding) {}

    @Override
    public void checked(long bytes) {
      calls.add(bytes);
      if (calls.size() == number + 1) {
        throw unchecked(failure);
      }
    }
  }

  /** Returns an exception to throw; throws an error itself. */
  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }
}
