package io.skerry.jobs.file;

import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.MapObject;
import io.skerry.NamedDatatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.UntrustedFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Visits each dataset of a file once, even if several hard links point to it. Other links are not
 * followed. An object that cannot be read is reported, and the walk continues.
 */
public final class DatasetWalk {
  private final Visitor visitor;
  private final Set<Long> seen = new HashSet<>();
  private final Deque<Level> open = new ArrayDeque<>();

  /** Receives the objects that a walk finds. */
  public interface Visitor {
    /**
     * Receives a dataset. If the call fails because the dataset cannot be read, the walk passes its
     * path to {@link #unreadable} and continues.
     */
    void dataset(Dataset dataset);

    /**
     * Receives the path of an object that cannot be read.
     *
     * @param path the path of the object, shortened if it is long
     * @param reason the message of the error
     */
    void unreadable(String path, String reason);
  }

  private record Level(Group group, Iterator<Group.Link> links) {}

  private DatasetWalk(Visitor visitor) {
    this.visitor = visitor;
  }

  /** Visits all datasets of a file. */
  public static void walk(H5File file, Visitor visitor) {
    DatasetWalk walk = new DatasetWalk(visitor);
    walk.seen.add(file.root().address());
    walk.enter(file.root());
    while (!walk.open.isEmpty()) {
      Level level = walk.open.peek();
      if (!level.links.hasNext()) {
        walk.open.pop();
      } else if (level.links.next() instanceof Group.Hard link && walk.seen.add(link.address())) {
        walk.member(level.group, link);
      }
    }
  }

  private void enter(Group group) {
    List<Group.Link> links = List.of();
    try {
      links = group.links();
    } catch (FormatException
        | UnsupportedFeatureException
        | MemoryLimitException
        | UntrustedFileException e) {
      visitor.unreadable(group.shownPath(), String.valueOf(e.getMessage()));
    }
    open.push(new Level(group, links.iterator()));
  }

  private void member(Group group, Group.Hard link) {
    String path = group.shownChildPath(link.name());
    try {
      H5Object object = group.child(link);
      switch (object) {
        case Group inner -> enter(inner);
        case Dataset dataset -> visitor.dataset(dataset);
        case NamedDatatype _, MapObject _ -> {}
      }
    } catch (CollectiveException e) {
      visitor.unreadable(path, e.reason());
    } catch (FormatException
        | UnsupportedFeatureException
        | MemoryLimitException
        | UntrustedFileException e) {
      visitor.unreadable(path, String.valueOf(e.getMessage()));
    }
  }
}
