package io.skerry.internal.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.ChunkAlignedBlocks;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the canonical form of variable-length content that is almost as long as its buffer. */
class LongContentTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final int[] LENGTHS = {3, 40_000, 5, 32_768, 32_769, 0, 65_000, 65_536, 1};

  @TempDir Path folder;

  @Test
  void each_content_follows_its_length_whatever_the_layout() throws Exception {
    String[] texts = new String[LENGTHS.length];
    ByteWriter expected = ByteWriter.create();
    for (int i = 0; i < texts.length; i++) {
      texts[i] = String.valueOf((char) ('a' + i)).repeat(LENGTHS[i]);
      byte[] bytes = texts[i].getBytes(StandardCharsets.UTF_8);
      expected.u32(bytes.length).bytes(MemorySegment.ofArray(bytes));
    }
    DatasetSpec spec = DatasetSpec.of(TEXT, Shape.of(texts.length));
    try (H5File file = H5File.create(folder.resolve("texts.h5"))) {
      file.createDataset("contiguous", spec.contiguous()).write(Selection.all(), texts);
      file.createDataset("single", spec.chunked(1)).write(Selection.all(), texts);
      file.createDataset("chunked", spec.chunked(4)).write(Selection.all(), texts);
      file.createDataset("sparse", spec.sparse(3)).write(Selection.all(), texts);
      String digest = digest(expected.written());
      assertEquals(digest, canonical(file.dataset("contiguous"), 100));
      assertEquals(digest, canonical(file.dataset("single"), 1));
      assertEquals(digest, canonical(file.dataset("chunked"), 4));
      assertEquals(digest, canonical(file.dataset("sparse"), 3));
    }
  }

  /** Returns the digest of a dataset that is read in parts of at most {@code part} elements. */
  private static String canonical(Dataset dataset, long part) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    new ChunkAlignedBlocks(dataset.shape(), dataset.storage().chunk(), part)
        .forEach(block -> {
          StoredElements read = dataset.readElements(block);
          MemorySegment elements = read.packed();
          new CanonicalForm(TEXT, read.contents())
              .write(
                  elements,
                  elements.byteSize() / TEXT.size(),
                  bytes -> digest.update(bytes.asByteBuffer()));
        });
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String digest(MemorySegment bytes) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(bytes.asByteBuffer());
    return HexFormat.of().formatHex(digest.digest());
  }
}
