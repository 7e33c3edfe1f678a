package io.skerry.integration.randomprogram;

import io.skerry.NoSuchObjectException;
import java.nio.file.Path;

/** Compares a file that nobody has open with a model. */
final class FileState {
  private FileState() {}

  /** Returns whether it holds exactly the model's datasets with exactly their content. */
  static boolean holds(Path path, FileModel model) {
    try {
      return ContentDigest.of(path, model).equals(ContentDigest.of(model));
    } catch (NoSuchObjectException e) {
      return false;
    }
  }
}
