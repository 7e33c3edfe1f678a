package io.skerry.jobs.interchange.form;

import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import java.util.List;

/**
 * An object in an HDF5 file that contains an array in one of the interchange forms.
 *
 * @param file the file
 * @param path the path of a group or a dataset
 */
public record InterchangeSource(H5File file, String path) {
  InterchangeGroup group() {
    return InterchangeGroup.of(file.group(path));
  }

  /** Returns the dataset, for a form that is a single dataset. */
  public Dataset dataset() {
    return file.dataset(path);
  }

  /** Returns the datasets to which the group has hard links, except the dataset {@code shape}. */
  public List<Dataset> datasets() {
    Group group = file.group(path);
    return group.links().stream()
        .filter(link -> !link.name().equals(InterchangeGroup.SHAPE))
        .filter(Group.Hard.class::isInstance)
        .map(link -> group.child((Group.Hard) link))
        .filter(Dataset.class::isInstance)
        .map(Dataset.class::cast)
        .toList();
  }
}
