package io.skerry.integration.randomprogram;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.integration.random.BoxLoops;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A digest of the paths, extents, values and defined elements of datasets, independent of the file
 * layout.
 */
final class ContentDigest {
  private final MessageDigest sha;

  private ContentDigest() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the digest of the expected content. */
  static String of(FileModel model) {
    ContentDigest digest = new ContentDigest();
    for (ArrayModel dataset : model.datasets()) {
      PickedElements all = SelectionGenerator.all(dataset.extent());
      long[] values = new long[all.elements().length];
      Arrays.setAll(values, i -> dataset.value(i));
      long[] defined = dataset.defined(all).stream().asLongStream().toArray();
      digest.add(dataset.plan().path(), dataset.extent(), values, defined);
    }
    return digest.text();
  }

  /** Reads a file, in this process only, and returns the digest of its content. */
  static String of(Path path, FileModel model) {
    try (H5File file = H5File.open(path)) {
      return of(file, model);
    }
  }

  /**
   * Returns the digest of the content of an open file. Collective.
   *
   * @param model the model that names the datasets
   */
  static String of(H5File file, FileModel model) {
    ContentDigest digest = new ContentDigest();
    for (ArrayModel expected : model.datasets()) {
      Dataset dataset = file.dataset(expected.plan().path());
      long[] extent = dataset.shape().extent();
      PickedElements all = SelectionGenerator.all(extent);
      long[] values = dataset.readLongs(all.selection());
      long[] coordinates = dataset.defined(all.selection()).toCoordinates(dataset.shape());
      long[] defined = new long[coordinates.length / extent.length];
      Arrays.setAll(defined, i -> BoxLoops.index(extent, coordinates, i * extent.length));
      digest.add(dataset.path(), extent, values, defined);
    }
    return digest.text();
  }

  private void add(String path, long[] extent, long[] values, long[] defined) {
    sha.update(path.getBytes(StandardCharsets.UTF_8));
    for (long[] numbers : new long[][] {extent, values, defined}) {
      ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length + 8);
      bytes.putLong(numbers.length);
      for (long number : numbers) {
        bytes.putLong(number);
      }
      sha.update(bytes.flip());
    }
  }

  private String text() {
    return HexFormat.of().formatHex(sha.digest(), 0, 8);
  }
}
