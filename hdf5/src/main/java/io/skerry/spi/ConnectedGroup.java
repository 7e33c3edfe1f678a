package io.skerry.spi;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.Operation;
import java.util.List;
import java.util.Objects;

/** Implements {@link Group} with a {@link StoredGroup} of a connector. */
final class ConnectedGroup extends ConnectedObject implements Group {
  private final StoredGroup stored;

  ConnectedGroup(ConnectedFile file, StoredGroup stored) {
    super(file, stored);
    this.stored = stored;
  }

  @Override
  public long address() {
    return stored.address();
  }

  @Override
  public List<Link> links() {
    return stored.links();
  }

  @Override
  public H5Object child(Hard link) {
    return of(connectedFile(), stored.child(link));
  }

  @Override
  public String childPath(String name) {
    Objects.requireNonNull(name);
    return path().equals("/") ? "/" + name : path() + "/" + name;
  }

  @Override
  public String shownChildPath(String name) {
    return stored.location().child(name).shown();
  }

  @Override
  public Group createGroup(String name) {
    return file().createGroup(newPath(name));
  }

  @Override
  public Dataset createDataset(String name, DatasetSpec spec) {
    return file().createDataset(newPath(name), spec);
  }

  @Override
  public MapObject createMap(String name, Datatype key, Datatype value) {
    return file().createMap(newPath(name), key, value);
  }

  /** Returns the path of a new member; if the name is null on any rank, all ranks fail. */
  private String newPath(String name) {
    connectedFile().require(Operation.CREATE_OBJECT, name);
    return childPath(name);
  }
}
