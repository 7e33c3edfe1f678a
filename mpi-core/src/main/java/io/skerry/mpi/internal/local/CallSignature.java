package io.skerry.mpi.internal.local;

/**
 * The properties of a collective call on which all ranks must agree.
 *
 * @param operation the name of the call
 * @param root the root, or -1 if there is none
 * @param bytes the size in bytes that all ranks pass, or -1 if there is no such size
 * @param detail any other property, such as the reduction
 */
record CallSignature(String operation, int root, long bytes, String detail) {

  static CallSignature of(String operation) {
    return new CallSignature(operation, -1, -1, "");
  }

  static CallSignature rooted(String operation, int root) {
    return new CallSignature(operation, root, -1, "");
  }

  static CallSignature sized(String operation, long bytes) {
    return new CallSignature(operation, -1, bytes, "");
  }

  @Override
  public String toString() {
    var text = new StringBuilder(operation);
    if (!detail.isEmpty()) {
      text.append(' ').append(detail);
    }
    if (root >= 0) {
      text.append(" root=").append(root);
    }
    if (bytes >= 0) {
      text.append(" bytes=").append(bytes);
    }
    return text.toString();
  }
}
