#!/usr/bin/env bash
# Gives the services an account of the S3 server that opens one bucket; its root account then is nobody's. Run once at each
# start, in the server's own image, with the `mc` that MinIO's has. It may run again: what is there stays, and takes on the
# password that is said. A server without `mc` has to know the account itself (docs/how-to/deploy.md).
set -euo pipefail

if ! command -v mc >/dev/null; then
  echo "no mc in this image: whether the S3 server knows the account $S3_ACCESS_KEY is its own affair"
  exit 0
fi

# Secrets go through pipes: arguments are seen by everybody who lists processes.
printf '%s\n%s\n' "$S3_ROOT_USER" "$(<"$S3_ROOT_PASSWORD_FILE")" | mc alias set server "$S3_ENDPOINT"
printf '%s\n%s\n' "$S3_ACCESS_KEY" "$(<"$S3_SECRET_KEY_FILE")" | mc admin user add server

policy=$(mktemp)
trap 'rm -f "$policy"' EXIT
cat >"$policy" <<JSON
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:CreateBucket", "s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"],
      "Resource": ["arn:aws:s3:::$S3_BUCKET"]
    },
    {
      "Effect": "Allow",
      "Action": [
        "s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"
      ],
      "Resource": ["arn:aws:s3:::$S3_BUCKET/*"]
    }
  ]
}
JSON
mc admin policy create server "$S3_ACCESS_KEY" "$policy"
# Before the end of 2024 mc took it for a mistake that the account has the policy already.
said=$(mc admin policy attach server "$S3_ACCESS_KEY" --user "$S3_ACCESS_KEY" 2>&1) || [[ $said == *'already in effect'* ]] || {
  echo "$said" >&2
  exit 1
}
echo "the account $S3_ACCESS_KEY opens the bucket $S3_BUCKET"
