package io.skerry.internal.file;

import io.skerry.NoSuchObjectException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.mpi.Communicator;
import io.skerry.spi.StoredObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Resolves paths. Every rank performs the same steps on its copy of the metadata. */
public final class Resolver {
  /**
   * The maximum number of soft and external links that are followed before a path is considered
   * cyclic.
   */
  static final int LINK_LIMIT = 64;

  private NativeFile file;
  private int linksFollowed;

  /** The names of the hard links from the root group of the current file to the current object. */
  private final Deque<String> throughHardLinks = new ArrayDeque<>();

  public Resolver(NativeFile file) {
    this.file = file;
  }

  /** Opens the object at a path relative to the root group. */
  StoredObject resolve(String path) {
    NativeFile from = file;
    ObjectLocation found = locate(from.tree().rootAddress(), path);
    // For an object in another file, the path in that file is used, so that members can be created
    // below the object.
    String shown = found.file() == from ? absolute(path) : "/" + String.join("/", throughHardLinks);
    return ObjectKinds.at(found.file(), shown, found.address());
  }

  /** Returns the location of the object at a path relative to a group. */
  public ObjectLocation locate(long group, String path) {
    String shown = absolute(path);
    long address = group;
    Deque<String> rest = components(path);
    while (!rest.isEmpty()) {
      String name = rest.removeFirst();
      LinkMessage link =
          file.tree().link(address, name).orElseThrow(() -> missing(file, "no such object", shown));
      switch (link.target()) {
        case LinkTarget.Hard(long target) -> {
          address = target;
          throughHardLinks.addLast(name);
        }
        case LinkTarget.Soft(String target) -> {
          follow(shown);
          if (target.startsWith("/")) {
            address = file.tree().rootAddress();
            throughHardLinks.clear();
          }
          pushAll(rest, target);
        }
        case LinkTarget.External(String name2, String target) -> {
          follow(shown);
          file = file.linked().named(name2, shown);
          throughHardLinks.clear();
          address = file.tree().rootAddress();
          pushAll(rest, target);
        }
        case LinkTarget.UserDefined(int kind, _) ->
            throw new UnsupportedFeatureException("user-defined link type " + kind, shown);
      }
    }
    return new ObjectLocation(file, address);
  }

  /**
   * Returns the header address of the object to which a hard link of a group leads; empty if there
   * is no link with the name.
   *
   * @throws UnsupportedFeatureException if the link is not a hard link
   */
  static Optional<Long> hardChild(NativeFile file, long group, String name) {
    return file.tree()
        .link(group, name)
        .map(link -> {
          if (link.target() instanceof LinkTarget.Hard(long address)) {
            return address;
          }
          throw new UnsupportedFeatureException(
              "a path through a soft or external link, where hard links are required", name);
        });
  }

  /**
   * A link and its group.
   *
   * @param group the address of the header of the group
   */
  record Found(long group, LinkMessage link) {}

  /**
   * Returns the link at a path. The link itself may be of any kind, but the path to its group leads
   * through hard links only.
   */
  static Found link(NativeFile file, String path) {
    Deque<String> parts = components(path);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("the root group is no link: path=" + path);
    }
    String last = parts.removeLast();
    long group = file.tree().rootAddress();
    for (String name : parts) {
      group = hardChild(file, group, name).orElseThrow(() -> missing(file, "no such object", path));
    }
    long parent = group;
    return file.tree()
        .link(parent, last)
        .map(link -> new Found(parent, link))
        .orElseThrow(() -> missing(file, "no such object", path));
  }

  /**
   * Returns the header address of the object at a path that leads through hard links only. All
   * ranks call it together.
   */
  public static long hardAddress(NativeFile file, String path) {
    return hardAddress(file, path, file.collective().ranks().rankSet());
  }

  /**
   * Returns the header address of the object at a path that leads through hard links only. Local:
   * an exception is thrown on this rank only.
   */
  static long hardAddressOnThisRank(NativeFile file, String path) {
    return hardAddress(file, path, Communicator.RankSet.of(1));
  }

  private static long hardAddress(NativeFile file, String path, Communicator.RankSet callers) {
    long address = file.tree().rootAddress();
    for (String name : components(path)) {
      address =
          hardChild(file, address, name)
              .orElseThrow(() -> missing(file, "no such object", path, callers));
    }
    return address;
  }

  /** Returns a path with a leading slash, which is added if it is missing. */
  static String absolute(String path) {
    return path.startsWith("/") ? path : "/" + path;
  }

  static Deque<String> components(String path) {
    Deque<String> parts = new ArrayDeque<>();
    for (String part : path.split("/")) {
      if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return parts;
  }

  /**
   * Returns the exception that all ranks of a file throw if they find no object, or no object of
   * the requested kind.
   *
   * @param what the reason, as a clause
   * @param path the path that was requested
   */
  public static NoSuchObjectException missing(NativeFile file, String what, String path) {
    return missing(file, what, path, file.collective().ranks().rankSet());
  }

  private static NoSuchObjectException missing(
      NativeFile file, String what, String path, Communicator.RankSet throwing) {
    return new NoSuchObjectException(what, path, file.path().toString(), throwing);
  }

  private static void pushAll(Deque<String> rest, String target) {
    components(target).descendingIterator().forEachRemaining(rest::addFirst);
  }

  private void follow(String path) {
    if (++linksFollowed > LINK_LIMIT) {
      throw missing(file, "more than " + LINK_LIMIT + " links to follow", path);
    }
  }
}
