package io.skerry.iod.connector.path;

import io.skerry.NoSuchObjectException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.Link;
import io.skerry.iod.object.model.Links;
import io.skerry.iod.object.model.ObjectKind;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.mpi.Communicator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Finds objects by their paths. Methods are local and thread-safe, and throw the exceptions of
 * {@link Values} and a {@link io.skerry.exception.FormatException} if a group on the path is
 * damaged.
 *
 * @param values the values of the container
 * @param file the path of the file, for messages
 * @param ranks the ranks that have the file open
 */
public record PathResolver(Values values, String file, Communicator.RankSet ranks) {
  /** The number of soft links that are followed before a path is considered cyclic. */
  static final int LINK_LIMIT = 64;

  /**
   * A link and the group that contains it.
   *
   * @param group the identifier of the group
   * @param name the name of the link
   * @param link the target
   */
  public record Found(ObjectId group, String name, Link link) {}

  /**
   * Returns the object at a path; soft links are followed.
   *
   * @throws NoSuchObjectException if there is none
   */
  public StoredObject resolve(String path) {
    String shown = absolute(path);
    ObjectId at = ObjectId.ROOT;
    Deque<String> rest = names(path);
    int followed = 0;
    while (!rest.isEmpty()) {
      String name = rest.removeFirst();
      Link link = link(at, name).orElseThrow(() -> missing("no such object", shown));
      switch (link) {
        case Link.Hard(ObjectId target) -> at = target;
        case Link.Soft(String target) -> {
          followed++;
          if (followed > LINK_LIMIT) {
            throw missing("more than " + LINK_LIMIT + " links to follow", shown);
          }
          at = target.startsWith("/") ? ObjectId.ROOT : at;
          names(target).descendingIterator().forEachRemaining(rest::addFirst);
        }
      }
    }
    return StoredObject.open(values, at);
  }

  /**
   * Returns the identifier of the object at a path that leads through hard links only.
   *
   * @throws NoSuchObjectException if there is none
   * @throws UnsupportedFeatureException if the path leads through a soft link
   */
  public ObjectId hard(String path) {
    ObjectId at = ObjectId.ROOT;
    for (String name : names(path)) {
      at = hardChild(at, name).orElseThrow(() -> missing("no such object", absolute(path)));
    }
    return at;
  }

  private Optional<ObjectId> hardChild(ObjectId group, String name) {
    return link(group, name)
        .map(link -> {
          if (link instanceof Link.Hard(ObjectId target)) {
            return target;
          }
          throw new UnsupportedFeatureException(
              "a path through a soft link, where hard links are required", name);
        });
  }

  /**
   * Returns the link at a path, which may be of any kind; the path to its group leads through hard
   * links only.
   *
   * @throws NoSuchObjectException if there is none
   * @throws IllegalArgumentException if the path is that of the root group
   * @throws UnsupportedFeatureException if the path to the group leads through a soft link
   */
  public Found link(String path) {
    Deque<String> parts = names(path);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("the root group is no link: path=" + path);
    }
    String last = parts.removeLast();
    ObjectId group = ObjectId.ROOT;
    for (String name : parts) {
      group = hardChild(group, name).orElseThrow(() -> missing("no such object", path));
    }
    ObjectId parent = group;
    return link(parent, last)
        .map(link -> new Found(parent, last, link))
        .orElseThrow(() -> missing("no such object", path));
  }

  /** Returns a link of a group; empty if there is none, or if the object is not a group. */
  Optional<Link> link(ObjectId group, String name) {
    boolean isGroup = StoredObject.open(values, group).kind() == ObjectKind.GROUP;
    return isGroup ? new Links(group, values).find(name) : Optional.empty();
  }

  /**
   * Returns the exception for a missing object.
   *
   * @param what the reason, as a clause
   * @param path the path that was requested, or the name of a link
   */
  NoSuchObjectException missing(String what, String path) {
    return new NoSuchObjectException(what, path, file, ranks);
  }

  /** Returns a path with a leading slash, which is added if it is missing. */
  public static String absolute(String path) {
    return path.startsWith("/") ? path : "/" + path;
  }

  static Deque<String> names(String path) {
    Deque<String> names = new ArrayDeque<>();
    for (String name : path.split("/")) {
      if (!name.isEmpty() && !name.equals(".")) {
        names.addLast(name);
      }
    }
    return names;
  }
}
