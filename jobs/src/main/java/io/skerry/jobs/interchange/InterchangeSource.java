package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.H5File;

/**
 * An object of an HDF5 file that holds an array in one of the forms.
 *
 * @param path of a group or a dataset
 */
public record InterchangeSource(H5File file, String path) {
  InterchangeGroup group() {
    return InterchangeGroup.of(file.group(path));
  }

  Dataset dataset() {
    return file.dataset(path);
  }
}
