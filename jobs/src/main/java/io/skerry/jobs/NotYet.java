package io.skerry.jobs;

/** Placeholder. */
final class NotYet implements Commands {
  @Override
  public int lcls(LclsOptions options) {
    throw new UnsupportedOperationException("not built into this binary: lcls");
  }

  @Override
  public int ls(LsOptions options) {
    throw new UnsupportedOperationException("not built into this binary: ls");
  }

  @Override
  public int defined(DefinedOptions options) {
    throw new UnsupportedOperationException("not built into this binary: defined");
  }
}
