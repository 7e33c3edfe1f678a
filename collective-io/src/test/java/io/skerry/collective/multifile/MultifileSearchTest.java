package io.skerry.collective.multifile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.superblock.Superblock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files without driver information whose names match a family pattern. */
class MultifileSearchTest {
  private static final int WHOLE = 4096;
  private static final int CUT = 2048;

  @TempDir Path folder;
  private Path first;

  @BeforeEach
  void create_a_file_that_ends_before_its_end_of_file() throws IOException {
    first = write("out0.h5", CUT, 0);
  }

  /** Writes a file of the given size with a superblock that gives {@link #WHOLE} as its end. */
  private Path write(String name, int size, long base) throws IOException {
    ByteWriter out = ByteWriter.create();
    Superblock superblock = Superblock.of(WHOLE - base, 48);
    new Superblock(
            superblock.version(),
            superblock.widths(),
            base,
            superblock.extensionAddress(),
            superblock.endOfFile(),
            superblock.rootAddress())
        .encode(out);
    MemorySegment bytes = MemorySegment.ofArray(new byte[size]);
    bytes.asSlice(base).copyFrom(out.written());
    return Files.write(folder.resolve(name), bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  private void assertPatternRefused() {
    FormatException refused =
        assertThrows(FormatException.class, () -> MultifileSearch.find(folder.resolve("out%d.h5")));
    assertTrue(
        refused.getMessage().contains("member 1 of the family is another file"),
        refused.getMessage());
  }

  @Test
  void a_truncated_file_beside_another_file_is_not_a_family() throws IOException {
    write("out1.h5", WHOLE, 0);
    assertEquals(Optional.empty(), MultifileSearch.find(first));
    assertPatternRefused();
  }

  @Test
  void a_truncated_file_beside_a_file_with_a_user_block_is_not_a_family() throws IOException {
    write("out1.h5", WHOLE, 512);
    assertEquals(Optional.empty(), MultifileSearch.find(first));
    assertPatternRefused();
  }

  @Test
  void a_truncated_file_beside_a_damaged_file_is_not_a_family() throws IOException {
    Path second = write("out1.h5", WHOLE, 0);
    byte[] damaged = Files.readAllBytes(second);
    damaged[20] ^= 1;
    Files.write(second, damaged);
    assertEquals(Optional.empty(), MultifileSearch.find(first));
    assertPatternRefused();
  }

  @Test
  void a_file_and_its_rest_are_a_family_under_both_names() throws IOException {
    Files.write(folder.resolve("out1.h5"), new byte[WHOLE - CUT]);
    for (String name : new String[] {"out0.h5", "out%d.h5"}) {
      SegmentMap found = MultifileSearch.find(folder.resolve(name)).orElseThrow();
      assertEquals(2, found.parts().size());
    }
  }

  @Test
  void the_pattern_of_complete_files_denotes_the_first() throws IOException {
    write("out0.h5", WHOLE, 0);
    write("out1.h5", WHOLE, 0);
    SegmentMap found = MultifileSearch.find(folder.resolve("out%d.h5")).orElseThrow();
    assertEquals(1, found.parts().size());
  }
}
