package io.skerry.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.TestFile;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that each object of the HDF5 library's test files opens or is refused with a reason. */
class CorpusTest {
  private final List<String> unsupported = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private int files;
  private int objects;
  private int indexes;

  @Test
  void every_file_of_the_corpus_opens_or_is_refused() throws IOException {
    Path corpus = SharedData.file("hdf5-corpus");
    try (Stream<Path> found = Files.walk(corpus)) {
      for (Path path : found.filter(p -> p.toString().matches(".*\\.(h5|hdf5|hdf|nc)$")).toList()) {
        open(path);
      }
    }
    System.out.printf(
        "corpus: %d files opened, %d objects, %d indexes read; %d unsupported, %d refused%n",
        files, objects, indexes, unsupported.size(), refused.size());
    assertTrue(objects > 50);
    // These are members of multi-file sets and truncated files, which HDF5 also refuses.
    assertEquals(
        Set.of(
            "multi_file_v16-s.h5",
            "test_subfiling_precreate_rank_0.h5",
            "tfamily00000.h5",
            "tmulti-s.h5",
            "3790_infinite_loop.h5",
            "h5clear_fsm_persist_user_greater.h5"),
        refused.stream()
            .filter(line -> !line.contains("not an HDF5 file"))
            .map(line -> line.substring(0, line.indexOf(':')))
            .collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @CsvSource({"cspad_thermolysin.h5, 32", "pilatus_thaumatin.h5, 12"})
  void real_detector_frames_are_found(String name, int chunks) {
    TestFile file = TestFile.open(SharedData.file("detector/" + name));
    ChunkIndex index = file.index(file.object("entry/data/images"));
    List<long[]> found = new ArrayList<>();
    index.forEachRecord(
        file.source(),
        (at, record) -> {
          found.add(at);
          long size = record.sections().size();
          assertEquals(size, file.source().read(record.address(), size).byteSize());
          // First byte of a zlib stream.
          assertEquals(0x78, file.source().read(record.address(), 1).get(ValueLayout.JAVA_BYTE, 0));
        });
    assertEquals(chunks, found.size());
  }

  private void open(Path path) {
    try {
      TestFile file = TestFile.open(path);
      files++;
      visit(file, path, file.superblock().rootAddress(), new HashSet<>());
    } catch (UnsupportedFeatureException e) {
      unsupported.add(path.getFileName() + ": " + e.getMessage());
    } catch (FormatException e) {
      refused.add(path.getFileName() + ": " + e.getMessage());
    }
  }

  private void visit(TestFile file, Path path, long address, Set<Long> seen) {
    if (!seen.add(address)) {
      return;
    }
    ObjectHeader header;
    try {
      header = file.header(address);
      objects++;
      if (header.find(LayoutMessage.class).orElse(null) instanceof ChunkedLayout) {
        ChunkIndex index = file.index(header);
        index.forEachRecord(file.source(), (at, record) -> file.source().read(record.address(), 1));
        indexes++;
      }
    } catch (UnsupportedFeatureException e) {
      unsupported.add(path.getFileName() + ": " + e.getMessage());
      return;
    } catch (FormatException e) {
      refused.add(path.getFileName() + ": " + e.getMessage());
      return;
    }
    for (LinkMessage link : header.all(LinkMessage.class)) {
      if (link.target() instanceof LinkTarget.Hard(long child)) {
        visit(file, path, child, seen);
      }
    }
  }
}
