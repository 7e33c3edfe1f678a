package io.skerry.jobs.interchange.form;

import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
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

  /**
   * Returns the datasets with the given names in the group, following soft and external links.
   * Names without a link, and objects that are not datasets, are left out.
   */
  public List<Dataset> members(List<String> names) {
    Group group = file.group(path);
    return group.links().stream()
        .filter(link -> names.contains(link.name()))
        .map(link -> member(group, link))
        .filter(Dataset.class::isInstance)
        .map(Dataset.class::cast)
        .toList();
  }

  private static H5Object member(Group group, Group.Link link) {
    return link instanceof Group.Hard hard
        ? group.child(hard)
        : group.file().object(group.childPath(link.name()));
  }
}
