package io.skerry.integration.randomprogram;

import io.skerry.NoSuchObjectException;
import java.nio.file.Path;

/** Compares a closed file with a model. */
final class FileState {
  private FileState() {}

  /** Returns whether the file has exactly the datasets of the model, with the same content. */
  static boolean holds(Path path, FileModel model) {
    try {
      return ContentDigest.of(path, model).equals(ContentDigest.of(model));
    } catch (NoSuchObjectException e) {
      return false;
    }
  }
}
